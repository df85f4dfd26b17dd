"""Server-sent events and JSON, as bytes."""

import json
from typing import Any

CREATED = 1_700_000_000
DONE = b"data: [DONE]\n\n"


def dump(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def data_event(value: Any) -> bytes:
    return b"data: %b\n\n" % dump(value)


def named_event(name: str, value: Any) -> bytes:
    return b"event: %b\ndata: %b\n\n" % (name.encode(), dump(value))


def pieces(text: str, count: int = 3) -> list[str]:
    """The text in up to `count` parts of about the same length."""
    size = -(-len(text) // count) or 1
    return [text[at : at + size] for at in range(0, len(text), size)]
