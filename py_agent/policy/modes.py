"""Permission modes: what happens to a call that no rule covers."""

from typing import Literal, get_args

from py_agent.errors import UsageError
from py_agent.ports.gate import GateRequest

Mode = Literal["default", "acceptEdits", "bypass", "plan", "deny"]
Verdict = Literal["allow", "ask", "deny"]
MODES: tuple[Mode, ...] = get_args(Mode)
_ALIASES: dict[str, Mode] = {"bypassPermissions": "bypass"}


def parse_mode(text: str) -> Mode:
    for mode in MODES:
        if mode == text or _ALIASES.get(text) == mode:
            return mode
    raise UsageError(f"There is no permission mode {text!r}; choose one of {', '.join(MODES)}.")


def judge(mode: Mode, request: GateRequest) -> Verdict:
    """What a mode says of a call."""
    match mode:
        case "bypass":
            return "allow"
        case "deny":
            return "deny"
        case "plan":
            return "allow" if request.read_only else "deny"
        case "acceptEdits":
            return "allow" if request.read_only or request.edits else "ask"
        case "default":
            return "allow" if request.read_only else "ask"
