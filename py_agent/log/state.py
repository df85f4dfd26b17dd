"""The fold of a log to where its session stands: the open run, its calls, what was used."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from py_agent.core.events import (
    AssistantMessage,
    Event,
    PermissionDecision,
    Result,
    SystemInit,
    ToolResult,
    ToolUse,
    UserMessage,
    WorkspaceChanged,
)
from py_agent.core.trees import BlobRef
from py_agent.core.usage import Usage


@dataclass(slots=True)
class OpenCall:
    """A call without a result. Allowed: in doubt after a crash. No decision: it never began."""

    use: ToolUse
    decision: PermissionDecision | None = None
    changed_paths: tuple[str, ...] = ()

    @property
    def is_in_doubt(self) -> bool:
        return self.decision is not None and self.decision.allowed


@dataclass(slots=True)
class OpenRun:
    """A run without a result. Calls are missing where a crash cut a response off in mid-write."""

    run_id: str
    step: int = 0
    usage: Usage = field(default_factory=Usage)
    final_text: str = ""
    is_answered: bool = False
    missing_call_ids: set[str] = field(default_factory=set)
    calls: dict[str, OpenCall] = field(default_factory=dict)


@dataclass(slots=True)
class SessionState:
    prefix: BlobRef | None = None
    run: OpenRun | None = None
    usage: Usage = field(default_factory=Usage)
    title: str = ""
    last_result: Result | None = None

    def add(self, event: Event) -> None:
        match event:
            case SystemInit():
                self.prefix = event.prefix
            case UserMessage():
                self.title = self.title or event.text
                if self.run is None and event.run_id is not None:
                    self.run = OpenRun(event.run_id)
            case AssistantMessage():
                self._add_response(event)
            case ToolUse() if self.run:
                self.run.missing_call_ids.discard(event.call_id)
                self.run.calls[event.tool_use_id] = OpenCall(event)
                self._count_step(self.run, event)
            case PermissionDecision() if self.run and event.tool_use_id in self.run.calls:
                self.run.calls[event.tool_use_id].decision = event
            case WorkspaceChanged() if self.run and event.tool_use_id in self.run.calls:
                paths = tuple(change.path for change in event.changes)
                self.run.calls[event.tool_use_id].changed_paths = paths
            case ToolResult() if self.run:
                self.run.calls.pop(event.tool_use_id, None)
            case Result():
                self.run, self.last_result = None, event

    def _add_response(self, event: AssistantMessage) -> None:
        usage = event.usage or Usage()
        self.usage += usage
        if self.run is not None:
            self.run.usage += usage
            self.run.final_text = event.text
            self.run.is_answered = not event.call_ids
            self.run.missing_call_ids = set(event.call_ids)
            self._count_step(self.run, event)

    def _count_step(self, run: OpenRun, event: AssistantMessage | ToolUse) -> None:
        """A response that was cut off in mid-write is asked for again: the step is made by the whole one."""
        if not run.missing_call_ids:
            run.step = event.step or run.step


def fold_state(events: Iterable[Event]) -> SessionState:
    state = SessionState()
    for event in events:
        state.add(event)
    return state


def fold_usage(events: Iterable[Event]) -> Usage:
    return fold_state(events).usage
