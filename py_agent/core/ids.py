"""Ids: 32 lower-case hexadecimal characters, so that none can be a path."""

import re

from py_agent.errors import InvalidSessionId

_ID = re.compile(r"[0-9a-f]{32}")


def is_id(text: str) -> bool:
    return _ID.fullmatch(text) is not None


def check_session_id(text: str) -> str:
    if not is_id(text):
        raise InvalidSessionId(
            f"{text!r} is not a session id, which has 32 characters of 0-9 and a-f; "
            "`py-agent sessions list` shows them."
        )
    return text
