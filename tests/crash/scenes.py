"""What children play: each scene takes the folder it works in, the plan for its writes, and whom to tell."""

import os
from pathlib import Path
from typing import Protocol

from py_agent.core.events import UserMessage
from py_agent.hosts.cpython import LocalFolder, cpython_host
from py_agent.log.store import SessionStore
from py_agent.ports.host import Host
from py_agent.run.project import Project
from py_agent.run.session import Session
from tests.crash import errand
from tests.crash.story import Played, fixed, play
from tests.crash.system import Plan, watched


class Say(Protocol):
    def __call__(self, **words: object) -> None: ...


def fixed_host(root: Path, *, is_later: bool = False) -> Host:
    return fixed(cpython_host(root / "state"), is_later=is_later)


async def session(root: Path, plan: Plan, say: Say) -> None:
    with watched(plan):
        await play(fixed_host(root), Played(), on_event=lambda event: say(seq=event.seq, calls_at=len(plan.calls)))


async def commit(root: Path, plan: Plan, _: Say) -> None:
    host = fixed_host(root, is_later=True)
    [session_id] = await SessionStore(host).list()
    with watched(plan):
        await errand.commit(host, folder_of(root), session_id)


async def take_over(root: Path, plan: Plan, _: Say) -> None:
    with watched(plan):
        session = await Session.create(fixed_host(root))
        await Project(folder_of(root)).take_over(session)
        await session.close()


def folder_of(root: Path) -> LocalFolder:
    return LocalFolder(root / "project")


async def chatter(root: Path, _: Plan, say: Say) -> None:
    """Append until killed."""
    store = SessionStore(fixed_host(root))
    opened = await store.open(await store.create())
    say(pid=os.getpid())
    while True:
        await opened.log.append(UserMessage(text="first"), UserMessage(text="x" * 10_000), UserMessage(text="third"))
