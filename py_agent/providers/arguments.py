"""Reading a call's arguments as models write them."""

import json
from typing import Any


def parse_arguments(arguments: object) -> dict[str, Any]:
    """An object passes, a string is read as JSON, nothing is `{}`; all else is kept as `{"_raw": ...}`."""
    if arguments is None or arguments == "":
        return {}
    if isinstance(arguments, str):
        try:
            parsed = json.loads(arguments)
        except (ValueError, RecursionError):
            return {"_raw": arguments}
        return parsed if isinstance(parsed, dict) else {"_raw": arguments}
    return arguments if isinstance(arguments, dict) else {"_raw": arguments}
