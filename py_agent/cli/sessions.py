"""`py-agent sessions`: list, show, export, import, repair."""

import argparse
import asyncio
import secrets
from datetime import datetime
from pathlib import Path

from py_agent.cli.hint import count
from py_agent.cli.screen import describe_call
from py_agent.cli.setup import make_client, make_host
from py_agent.cli.terminal import notice, one_line, say, say_event
from py_agent.client import AgentClient, AgentSession
from py_agent.core.events import AssistantMessage, Event, Result, ToolResult, ToolUse, UserMessage
from py_agent.errors import PyAgentError, SessionNotFound, StorageFailed, UsageError
from py_agent.log.store import directory
from py_agent.log.transfer import export_session, import_session, repair_session

_TITLE_CHARACTERS = 60


async def list_all(options: argparse.Namespace) -> int:
    client, storage = make_client(options), make_host(options).storage
    # A directory stays empty where the disk was full when a session was to be made.
    ids = [name for name in await client.sessions.list() if await storage.list(directory(name))]
    rows = [await _row(client, session_id) for session_id in ids]
    for _, line in sorted(rows, reverse=True):
        say(line)
    if not rows:
        say("There are no sessions yet; `py-agent run` starts one.")
    return 0


async def _row(client: AgentClient, session_id: str) -> tuple[float, str]:
    try:
        meta = await client.sessions.read_meta(session_id)
        async with await client.open(session_id, to_read=True) as session:
            return meta.created_at, f"{session_id}  {_when(meta.created_at)}  {_summary(session)}"
    except SessionNotFound:
        return 0.0, f"{session_id}  damaged: it has no meta.json; `py-agent sessions repair` makes a new session of it."
    except PyAgentError as error:
        return 0.0, f"{session_id}  damaged: {error}"


def _when(created_at: float) -> str:
    try:
        return datetime.fromtimestamp(created_at).astimezone().strftime("%Y-%m-%d %H:%M")
    except (OSError, OverflowError, ValueError):  # a file that was imported may say anything
        return "at some time"


def _summary(session: AgentSession) -> str:
    notes = ["unfinished"] if session.is_unfinished else []
    if changed := len(session.changes().files):
        notes.append(f"{count(changed, 'file')} to commit")
    title = one_line(session.title.strip().split("\n")[0][:_TITLE_CHARACTERS]) or "(no message)"
    return f"{title}  ({', '.join(notes)})" if notes else title


async def show(options: argparse.Namespace) -> int:
    async with await make_client(options).open(options.id, to_read=True) as session:
        async for event in session.history():
            if options.json:
                say_event(event)
            else:
                _show(event)
    return 0


def _show(event: Event) -> None:
    match event:
        case UserMessage():
            say(f"> {event.text}{_more(event)}")
        case AssistantMessage() if event.text:
            say(f"{event.text}{_more(event)}")
        case ToolUse():
            say(f"[{describe_call(event)}]")
        case ToolResult(is_error=True):
            say(f"[{event.error_type}: {event.error_message}]")
        case Result() if event.stop_reason != "end":
            say(f"[ended: {event.stop_reason}{f', {event.error_message}' if event.error_message else ''}]")


def _more(event: UserMessage | AssistantMessage) -> str:
    return f"... ({event.text_blob.size_bytes} bytes in all)" if event.text_blob else ""


async def export(options: argparse.Namespace) -> int:
    data = await export_session(make_host(options), options.id)
    target: Path = options.output or Path(f"session-{options.id}.zip")
    try:
        await asyncio.to_thread(_replace, target, data)
    except OSError as error:
        raise StorageFailed(f"{target} cannot be written: {error.strerror}.") from error
    say(f"Wrote {target} ({len(data)} bytes).")
    return 0


def _replace(target: Path, data: bytes) -> None:
    """Put a file in place whole; what is no regular file, such as a pipe, is written to."""
    if target.exists() and not target.is_file():
        target.write_bytes(data)
        return
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}.new")
    try:
        temporary.write_bytes(data)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


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
        lines = ", ".join(map(str, lost[:5]))
        notice(f"{count(len(lost), 'line')} could not be read: {lines}{', ...' if len(lost) > 5 else ''}.")
    notice(f"Session {options.id} is left as it was.")
    return 0
