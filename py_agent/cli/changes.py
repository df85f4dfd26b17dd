"""`py-agent changes` and `py-agent commit`."""

import argparse
from collections.abc import Sequence

from py_agent.cli.setup import make_client, pick_session
from py_agent.cli.terminal import ask_line, can_ask, notice, say
from py_agent.client import AgentSession
from py_agent.core.changes import Change
from py_agent.core.paths import WorkspacePath
from py_agent.errors import UsageError

_SIGNS = {"add": "+", "modify": "~", "delete": "-"}


async def show(options: argparse.Namespace) -> int:
    client = make_client(options)
    async with await client.open(await pick_session(client, options.session), to_read=True) as session:
        changes = list(session.changes().files)
        if not changes:
            say("Nothing has changed.")
        for change in changes:
            await _show_diff(session, change)
        for conflict in session.workspace.conflicts.values():
            notice(f"Conflict: {conflict.path}: {conflict.reason}")
    return 0


async def commit(options: argparse.Namespace) -> int:
    client = make_client(options)
    paths = [WorkspacePath.parse(path) for path in options.paths] or None
    async with await client.open(await pick_session(client, options.session)) as session:
        chosen = session.choose(paths)
        if not chosen:
            say("There is nothing to commit.")
            return 0
        if not options.yes and not await _is_wanted(session, chosen):
            say("Nothing was written.")
            return 0
        event = await session.commit(paths)
    files = [change for change in event.changes if not change.is_directory]
    say(f"Wrote {len(files)} {'file' if len(files) == 1 else 'files'} to {event.target}.")
    for conflict in event.conflicts:
        notice(f"Not written: {conflict.path}: {conflict.reason}")
    return 1 if event.conflicts else 0


async def _is_wanted(session: AgentSession, chosen: Sequence[Change]) -> bool:
    if not can_ask():
        raise UsageError("Say --yes to write to the folder without being asked.")
    for change in chosen:
        if not change.is_directory:
            say(f"{_SIGNS[change.kind]} {change.path}")
    typed = await ask_line("This is the moment your real files change. Write them? [y/N] ")
    return typed.lower() in ("y", "yes")


async def _show_diff(session: AgentSession, change: Change) -> None:
    old = "/dev/null" if change.before is None else f"a/{change.path}"
    new = "/dev/null" if change.after is None else f"b/{change.path}"
    say(f"--- {old}\n+++ {new}")
    hunks = await session.hunks(change)
    if hunks is None:
        say("(not shown: no text, or too long)")
        return
    for hunk in hunks:
        say(hunk.header)
        for line in hunk.lines:
            say(f"{line.sign}{line.text}", end="")
            if not line.text.endswith("\n"):
                say("\n\\ No newline at end of file")
