"""`py-agent changes`, `py-agent commit` and `py-agent settle`."""

import argparse
from collections.abc import Sequence

from py_agent.cli.hint import command_line, count
from py_agent.cli.setup import make_client, pick_session, warn_of_other_folder
from py_agent.cli.terminal import ask_line, can_ask, notice, one_line, say
from py_agent.client import AgentSession
from py_agent.core.changes import Change
from py_agent.core.events import WorkspaceCommit
from py_agent.core.paths import WorkspacePath
from py_agent.errors import UsageError

_SIGNS = {"add": "+", "modify": "~", "delete": "-"}


async def show(options: argparse.Namespace) -> int:
    client = make_client(options)
    async with await client.open(await pick_session(client, options), to_read=True) as session:
        changes = list(session.changes().files)
        if not changes:
            say(f"Session {session.session_id} has nothing to commit.")
        for change in changes:
            await _show_diff(session, change)
        for conflict in session.workspace.conflicts.values():
            notice(f"Conflict: {one_line(conflict.path)}: {conflict.reason}")
    return 0


async def commit(options: argparse.Namespace) -> int:
    client = make_client(options)
    paths = [WorkspacePath.parse(path) for path in options.paths] or None
    session_id = await pick_session(client, options)
    await warn_of_other_folder(client, options, session_id)
    async with await client.open(session_id) as session:
        chosen = session.choose(paths)
        if not chosen:
            say(f"Session {session_id} has nothing to commit.")
            return 0
        if not options.yes and not await _is_wanted(chosen):
            say("Nothing was written.")
            return 0
        event = await session.commit(paths)
    _say_what_was_written(event)
    if event.conflicts:
        for conflict in event.conflicts:
            notice(f"Not written: {one_line(conflict.path)}: {conflict.reason}")
        see = command_line(options, "changes", "--session", session_id)
        notice(f"The folder's own versions were kept. To see the session's: {see}")
        choose = command_line(options, "settle", event.conflicts[0].path, "--keep", "session", "--session", session_id)
        notice(f"To have the session's version written, or `--keep folder` to give it up: {choose}")
    return 1 if event.conflicts else 0


async def settle(options: argparse.Namespace) -> int:
    """End conflicts as the person chooses."""
    client = make_client(options)
    session_id = await pick_session(client, options)
    async with await client.open(session_id) as session:
        for path in options.paths:
            await session.settle(WorkspacePath.parse(path), keep=options.keep)
    if options.keep == "session":
        commit_it = command_line(options, "commit", "--session", session_id, *options.paths)
        say(f"The session's version is kept. To write it to the folder: {commit_it}")
    else:
        say("The session has the folder's version now.")
    return 0


def _say_what_was_written(event: WorkspaceCommit) -> None:
    files = [change for change in event.changes if not change.is_directory]
    deleted = sum(change.after is None for change in files)
    done = [f"wrote {count(len(files) - deleted, 'file')}"] if len(files) > deleted else []
    done += [f"deleted {count(deleted, 'file')}"] if deleted else []
    if not event.changes:
        say("Nothing was written.")
    else:
        text = " and ".join(done) or "changed directories only"
        say(f"{text[0].upper()}{text[1:]} in {event.target}.")


async def _is_wanted(chosen: Sequence[Change]) -> bool:
    if not can_ask():
        raise UsageError("Nobody can be asked here; say --yes to write to the folder without a question.")
    for change in chosen:
        if not change.is_directory:
            say(f"{_SIGNS[change.kind]} {one_line(change.path)}")
    typed = await ask_line("This is the moment your real files change. Write them? [y/N] ")
    return typed.lower() in ("y", "yes")


async def _show_diff(session: AgentSession, change: Change) -> None:
    path = one_line(change.path)
    old = "/dev/null" if change.before is None else f"a/{path}"
    new = "/dev/null" if change.after is None else f"b/{path}"
    say(f"--- {old}\n+++ {new}")
    if change.before and change.after and change.before.executable != change.after.executable:
        say("(now executable)" if change.after.executable else "(no longer executable)")
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
