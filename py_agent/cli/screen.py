"""What is shown of a run: to a person as it happens, or as lines of JSON."""

import argparse
from typing import Protocol

from py_agent.cli.hint import command_line
from py_agent.cli.progress import Progress
from py_agent.cli.terminal import notice, one_line, say, say_event
from py_agent.core.events import (
    AssistantDelta,
    AssistantMessage,
    Event,
    ModelRetried,
    Result,
    SessionRecovered,
    ToolResult,
    ToolUse,
    WorkspaceImport,
)

_ENDS = {
    "max_steps": "The run reached its limit of responses (--max-steps).",
    "max_seconds": "The run reached its time limit (--max-seconds).",
    "max_tokens": "The run reached its limit of tokens (--max-tokens).",
    "max_cost": "The run reached its limit of cost (--max-cost).",
    "loop": "The run was ended because it repeated a call that gave the same result each time.",
}


class Report(Protocol):
    def show(self, event: Event) -> None:
        """Show one event of a run."""

    def fail(self, result: Result) -> None:
        """The command ends without the result of a run; show this one where one is promised."""


class JsonLines:
    """Every event, and a result as the last of them however the command ends."""

    def __init__(self) -> None:
        self._has_result = False

    def show(self, event: Event) -> None:
        say_event(event)
        self._has_result = isinstance(event, Result)

    def fail(self, result: Result) -> None:
        if not self._has_result:
            say_event(result)


class Screen:
    """What a person sees of a run."""

    def __init__(self, options: argparse.Namespace, progress: Progress) -> None:
        self._options = options
        self._progress = progress
        self._is_in_text = False
        self._names: dict[str, str] = {}

    def fail(self, result: Result) -> None:
        self._progress.clear()
        self._end_text()

    def show(self, event: Event) -> None:
        self._progress.clear()
        match event:
            case AssistantDelta():
                say(event.text_delta, end="")
                self._is_in_text = True
            case AssistantMessage():
                self._end_text()
            case ModelRetried():
                self._show_retry(event)
            case ToolUse():
                self._names[event.tool_use_id] = describe_call(event)
            case ToolResult():
                self._show_result(event)
            case WorkspaceImport():
                _show_import(event)
            case SessionRecovered():
                notice(f"The log ended in a torn line of {event.dropped_bytes} bytes, which was cut off.")
            case Result():
                self._end_text()
                self._show_end(event)

    def _end_text(self) -> None:
        if self._is_in_text:
            say("")
        self._is_in_text = False

    def _show_retry(self, event: ModelRetried) -> None:
        void = " What was said so far of this answer does not count." if self._is_in_text else ""
        self._end_text()
        notice(f"{event.reason} Asking again in {event.delay_seconds:.1f} seconds.{void}")

    def _show_result(self, event: ToolResult) -> None:
        name = self._names.pop(event.tool_use_id, "call")
        outcome = f"{event.error_type}: {event.error_message}" if event.is_error else "done"
        notice(f"{name}: {outcome}")

    def _show_end(self, event: Result) -> None:
        match event.stop_reason:
            case "end":
                return
            case "error":
                notice(f"The run failed. {event.error_message}")
            case "cancelled":
                notice("The run was cancelled.")
            case reason:
                words = ("run", "--session", event.session_id or "", "go on")
                notice(f"{_ENDS[reason]} To go on: {command_line(self._options, *words)}")


def describe_call(use: ToolUse) -> str:
    """The tool, and the file or directory it is about."""
    target = use.input.get("file_path") or use.input.get("path") or ""
    return one_line(f"{use.name} {target}").strip()


def _show_import(event: WorkspaceImport) -> None:
    for conflict in event.conflicts:
        notice(f"Conflict: {one_line(conflict.path)}: {conflict.reason}")
    for skipped in event.skipped:
        if skipped.reason != "ignored":
            examples = ", ".join(map(one_line, skipped.examples))
            notice(f"Not copied ({skipped.reason}): {skipped.count}, as {examples}.")
