"""Reading JSON as models and their servers write it."""

import json
from typing import Any


def parse_arguments(arguments: object) -> dict[str, Any]:
    """An object passes, a string is read as JSON, nothing is `{}`; all else is kept as `{"_raw": ...}`."""
    if arguments is None or arguments == "":
        return {}
    if isinstance(arguments, str):
        try:
            parsed = read_json(arguments)
        except (ValueError, RecursionError):
            return {"_raw": without_surrogates(arguments)}
        return parsed if isinstance(parsed, dict) else {"_raw": arguments}
    stored = _storable(arguments)
    return stored if isinstance(stored, dict) else {"_raw": stored}


def read_json(text: str | bytes) -> Any:
    """A JSON value without lone surrogates, which JSON can escape and no file can hold."""
    text = text.decode() if isinstance(text, bytes) else text
    parsed = json.loads(text)
    return _storable(parsed) if "\\ud" in text or "\\uD" in text else parsed


def without_surrogates(text: str) -> str:
    return text if text.isascii() else text.encode(errors="replace").decode()


def _storable(value: Any) -> Any:
    text = json.dumps(value, ensure_ascii=False)
    clean = without_surrogates(text)
    return value if clean == text else json.loads(clean)
