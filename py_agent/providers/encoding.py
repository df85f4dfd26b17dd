"""JSON of requests, made piece by piece, so that what was sent before is never serialised again."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from pydantic_core import to_json

from py_agent.core.messages import Message

Item = dict[str, Any]


class Encoded:
    """The messages of a list that only grows, as the items of a JSON array."""

    def __init__(self) -> None:
        self._items = bytearray()
        self._count = 0

    def extend(self, messages: Sequence[Message], encode: Callable[[Message], Iterable[Item]]) -> bytearray:
        """Encode the messages not seen before; gives all items, separated by commas."""
        for index in range(self._count, len(messages)):
            for item in encode(messages[index]):
                if self._items:
                    self._items += b","
                self._items += encode_json(item)
        self._count = len(messages)
        return self._items


def encode_json(value: Any) -> bytes:
    return to_json(value, inf_nan_mode="null")


def encode_text(value: Any) -> str:
    return encode_json(value).decode()


def join_body(fields: Item, array_name: str, items: bytes | bytearray) -> bytes:
    """A JSON object with these fields, and last the array of encoded items."""
    return b"".join([encode_json(fields)[:-1], b',"', array_name.encode(), b'":[', items, b"]}"])
