"""`py-agent run` and `py-agent sessions resume`."""

import argparse
import asyncio
import signal
from collections.abc import AsyncIterator

from py_agent.cli.setup import make_running_client
from py_agent.cli.terminal import notice, say
from py_agent.client import AgentSession
from py_agent.core.events import (
    AssistantDelta,
    AssistantMessage,
    Event,
    Result,
    SessionRecovered,
    ToolResult,
    ToolUse,
    WorkspaceImport,
    dump_event,
)

EXIT_CODES = {"end": 0, "cancelled": 130}


async def run(options: argparse.Namespace) -> int:
    client = make_running_client(options)
    async with await client.open(options.session) as session:
        if session.is_unfinished:
            notice("The last run of this session was cut off; it is closed now. `sessions resume` would go on with it.")
        return await _follow(session, session.stream(options.goal), options)


async def resume(options: argparse.Namespace) -> int:
    client = make_running_client(options)
    async with await client.open(options.id) as session:
        return await _follow(session, session.resume(), options)


async def _follow(session: AgentSession, events: AsyncIterator[Event], options: argparse.Namespace) -> int:
    loop = asyncio.get_running_loop()

    def cancel() -> None:
        session.cancel()
        loop.remove_signal_handler(signal.SIGINT)  # a second Ctrl-C ends the process

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, cancel)
    code = 1
    screen = Screen()
    async for event in events:
        if options.json:
            print(dump_event(event).decode(), flush=True)
        else:
            screen.show(event)
        if isinstance(event, Result):
            code = EXIT_CODES.get(event.stop_reason, 1)
    _say_what_changed(session, options)
    return code


def _say_what_changed(session: AgentSession, options: argparse.Namespace) -> None:
    count = len(session.changes().files)
    if not count:
        return
    where = f" --project {options.project}" if str(options.project) != "." else ""
    where += f" --state {options.state}" if options.state else ""
    chosen = f"{where} --session {session.session_id}"
    files = "1 file differs" if count == 1 else f"{count} files differ"
    notice(
        f"{files} from your folder. See them with `py-agent changes{chosen}`, "
        f"write them with `py-agent commit{chosen}`."
    )


class Screen:
    """What a person sees of a run."""

    def __init__(self) -> None:
        self._is_in_text = False
        self._names: dict[str, str] = {}

    def show(self, event: Event) -> None:
        match event:
            case AssistantDelta():
                say(event.text_delta, end="")
                self._is_in_text = True
            case AssistantMessage() if self._is_in_text:
                say("")
                self._is_in_text = False
            case ToolUse():
                target = event.input.get("file_path") or event.input.get("path") or ""
                self._names[event.tool_use_id] = f"{event.name} {target}".strip()
            case ToolResult():
                self._show_result(event)
            case WorkspaceImport():
                _show_import(event)
            case SessionRecovered():
                notice(f"The log ended in a torn line of {event.dropped_bytes} bytes, which was cut off.")
            case Result():
                self._show_end(event)

    def _show_result(self, event: ToolResult) -> None:
        name = self._names.pop(event.tool_use_id, "call")
        outcome = f"{event.error_type}: {event.error_message}" if event.is_error else "done"
        notice(f"{name}: {outcome}")

    def _show_end(self, event: Result) -> None:
        if self._is_in_text:
            say("")
        if event.stop_reason == "error":
            notice(f"The run failed. {event.error_message}")
        elif event.stop_reason != "end":
            notice(f"The run ended early: {event.stop_reason}.")


def _show_import(event: WorkspaceImport) -> None:
    for conflict in event.conflicts:
        notice(f"Conflict: {conflict.path}: {conflict.reason}")
    for skipped in event.skipped:
        if skipped.reason != "ignored":
            notice(f"Not copied ({skipped.reason}): {skipped.count}, as {', '.join(skipped.examples)}.")
