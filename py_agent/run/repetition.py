"""Loop detection: the same call with the same result, again and again, while nothing changes."""

import json

from py_agent.core.events import Event, PermissionDecision, ToolResult, ToolUse, UserMessage, WorkspaceChanged

MAX_REPEATS = 3


class Repetition:
    """A fold: `looping` is the call that gave the same result for the third time, until something changes."""

    def __init__(self) -> None:
        self.looping: ToolUse | None = None
        self._uses: dict[str, ToolUse] = {}
        self._counts: dict[tuple[str, str, str], int] = {}

    def add(self, event: Event) -> None:
        match event:
            case ToolUse():
                self._uses[event.tool_use_id] = event
            case ToolResult() if event.tool_use_id in self._uses:
                self._count(self._uses.pop(event.tool_use_id), event)
            case UserMessage() | WorkspaceChanged():
                self._forget()
            case PermissionDecision(rule="doom_loop", allowed=True):
                self._forget()

    def _count(self, use: ToolUse, result: ToolResult) -> None:
        key = (
            use.name,
            _text(use.input, use.input_blob),
            _text(result.output, result.output_blob, result.error_message),
        )
        self._counts[key] = self._counts.get(key, 0) + 1
        if self._counts[key] >= MAX_REPEATS:
            self.looping = use

    def _forget(self) -> None:
        self.looping = None
        self._counts.clear()


def _text(*values: object) -> str:
    return json.dumps([repr(value) if hasattr(value, "sha256") else value for value in values], sort_keys=True)
