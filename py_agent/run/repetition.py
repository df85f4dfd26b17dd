"""Loop detection: the same call with the same result, again and again, while nothing changes."""

import json

from py_agent.core.events import Event, PermissionDecision, ToolResult, ToolUse, UserMessage, WorkspaceChanged
from py_agent.ports.gate import GateRequest

MAX_REPEATS = 3


class Repetition:
    """A fold that finds the call which gave the same result for the third time."""

    def __init__(self) -> None:
        self._repeated: ToolUse | None = None
        self._uses: dict[str, ToolUse] = {}
        self._finished: list[tuple[ToolUse, ToolResult]] = []
        self._counts: dict[tuple[str, str, str], int] = {}

    def add(self, event: Event) -> None:
        match event:
            case ToolUse():
                self._uses[event.tool_use_id] = event
            case ToolResult() if event.tool_use_id in self._uses:
                self._finished.append((self._uses.pop(event.tool_use_id), event))
            case UserMessage() | WorkspaceChanged():
                self._forget()
            case PermissionDecision(rule="doom_loop", allowed=True):
                self._forget()

    def request(self) -> GateRequest | None:
        """What to ask before the run goes on; None while nothing repeats itself."""
        # Counted only here: when a session is opened, most calls are forgotten before anyone asks.
        for use, result in self._finished:
            self._count(use, result)
        self._finished.clear()
        if self._repeated is None:
            return None
        return GateRequest(
            tool_use_id=self._repeated.tool_use_id,
            tool_name=self._repeated.name,
            input=self._repeated.input,
            concern="doom_loop",
            reason="This call gave the same result three times. Go on?",
        )

    def _count(self, use: ToolUse, result: ToolResult) -> None:
        key = (
            use.name,
            _text(use.input, use.input_blob),
            _text(result.output, result.output_blob, result.error_message),
        )
        self._counts[key] = self._counts.get(key, 0) + 1
        if self._counts[key] >= MAX_REPEATS:
            self._repeated = use

    def _forget(self) -> None:
        self._repeated = None
        self._finished.clear()
        self._counts.clear()


def _text(*values: object) -> str:
    return json.dumps([repr(value) if hasattr(value, "sha256") else value for value in values], sort_keys=True)
