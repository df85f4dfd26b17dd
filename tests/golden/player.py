"""Plays a golden script on a host and gives the log."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from dataclasses import replace

from py_agent.client import AgentClient, AgentOptions, AgentSession
from py_agent.core.events import Event
from py_agent.core.paths import WorkspacePath
from py_agent.hosts.memory import CountingIds, StepClock
from py_agent.log.codec import decode_line
from py_agent.log.store import log_path
from py_agent.ports.folder import Folder
from py_agent.ports.gate import Answer, Question
from py_agent.ports.host import Host
from py_agent.providers.scripted import ScriptedModel
from py_agent.run.project import Project
from tests.golden.folder import GoldenFolder
from tests.golden.script import Commit, Cut, Given, Put, Resume, Say, Script
from tests.golden.tools import golden_tools


async def play(script: Script, host: Host, folder: Folder) -> bytes:
    host = replace(host, clock=StepClock(), ids=CountingIds())
    project = Project(GoldenFolder(folder)) if script.has_folder else None
    options = AgentOptions(
        model=ScriptedModel(script.steps),
        tools=golden_tools(),
        permission_mode=script.permission_mode,
        approver=_Answers(script.answers),
        limits=script.limits,
    )
    client = AgentClient(host, options, project)
    session = await client.open()
    for act in script.acts:
        match act:
            case Say():
                await _follow(session, session.stream(act.text), act.cancel_at)
            case Resume():
                await _follow(session, session.resume())
            case Cut():
                await session.close()
                await _cut(host, session.session_id, act)
                session = await client.open(session.session_id)
            case Put() if project:
                await project.folder.write(WorkspacePath(act.path), act.text.encode())
            case Commit():
                await session.commit()
    await session.close()
    return await host.storage.read(log_path(session.session_id))


class _Answers:
    def __init__(self, given: Iterable[Given]) -> None:
        self._given = list(given)

    async def ask(self, question: Question) -> Answer:
        given = self._given.pop(0)
        if given.allowed is None:
            await asyncio.Event().wait()
        return Answer(bool(given.allowed), given.message, given.interrupt)


async def _follow(session: AgentSession, events: AsyncIterator[Event], cancel_at: str | None = None) -> None:
    async for event in events:
        if event.type == cancel_at:
            session.cancel()


async def _cut(host: Host, session_id: str, cut: Cut) -> None:
    lines = (await host.storage.read(log_path(session_id))).splitlines(keepends=True)
    numbers = [number for number, line in enumerate(lines, start=1) if decode_line(line[:-1]).type == cut.after]
    kept = numbers[cut.occurrence - 1]
    torn = lines[kept][: len(lines[kept]) // 2] if cut.is_torn else b""
    await host.storage.write(log_path(session_id), b"".join(lines[:kept]) + torn)
