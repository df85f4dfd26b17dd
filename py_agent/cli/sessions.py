"""`py-agent sessions`: list, show, export, import, repair."""

import argparse
import asyncio
from datetime import datetime
from pathlib import Path

from py_agent.cli.setup import make_client, make_host
from py_agent.cli.terminal import notice, say
from py_agent.client import AgentClient
from py_agent.core.events import AssistantMessage, Event, Result, ToolResult, ToolUse, UserMessage, dump_event
from py_agent.errors import BadFile, PyAgentError, UsageError
from py_agent.log.transfer import export_session, import_session, repair_session

_TITLE_CHARACTERS = 60


async def list_all(options: argparse.Namespace) -> int:
    client = make_client(options)
    rows = [await _row(client, session_id) for session_id in await client.sessions.list()]
    for _, line in sorted(rows, reverse=True):
        say(line)
    if not rows:
        say("There are no sessions yet; `py-agent run` starts one.")
    return 0


async def _row(client: AgentClient, session_id: str) -> tuple[float, str]:
    try:
        meta = await client.sessions.read_meta(session_id)
        async with await client.open(session_id, to_read=True) as session:
            title, is_unfinished = session.title, session.is_unfinished
    except PyAgentError as error:
        return 0.0, f"{session_id}  damaged: {error}"
    created = datetime.fromtimestamp(meta.created_at).astimezone().strftime("%Y-%m-%d %H:%M")
    first_line = title.strip().split("\n")[0][:_TITLE_CHARACTERS]
    return (
        meta.created_at,
        f"{session_id}  {created}  {first_line}{'  (unfinished)' if is_unfinished else ''}",
    )


async def show(options: argparse.Namespace) -> int:
    async with await make_client(options).open(options.id, to_read=True) as session:
        async for event in session.history():
            if options.json:
                print(dump_event(event).decode())
            else:
                _show(event)
    return 0


def _show(event: Event) -> None:
    match event:
        case UserMessage():
            say(f"> {event.text}")
        case AssistantMessage() if event.text:
            say(event.text)
        case ToolUse():
            say(f"[{event.name} {event.input.get('file_path') or event.input.get('path') or ''}]")
        case ToolResult(is_error=True):
            say(f"[{event.error_type}: {event.error_message}]")
        case Result() if event.stop_reason != "end":
            say(f"[ended: {event.stop_reason}{f', {event.error_message}' if event.error_message else ''}]")


async def export(options: argparse.Namespace) -> int:
    data = await export_session(make_host(options), options.id)
    target: Path = options.output or Path(f"session-{options.id}.zip")
    try:
        await asyncio.to_thread(target.write_bytes, data)
    except OSError as error:
        raise BadFile(f"{target} cannot be written: {error.strerror}.") from error
    say(f"Wrote {target} ({len(data)} bytes).")
    return 0


async def take_in(options: argparse.Namespace) -> int:
    try:
        data = await asyncio.to_thread(options.file.read_bytes)
    except OSError as error:
        raise UsageError(f"{options.file} cannot be read: {error.strerror}.") from error
    say(f"Imported session {await import_session(make_host(options), data)}.")
    return 0


async def repair(options: argparse.Namespace) -> int:
    session_id, lost = await repair_session(make_host(options), options.id)
    say(f"Session {session_id} holds all that could be read.")
    if lost:
        notice(f"{len(lost)} lines were lost, as line {', '.join(map(str, lost[:5]))}. The old session is unchanged.")
    return 0
