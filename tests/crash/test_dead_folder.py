"""A commit to a person's folder, or an import from it, on a disk that dies at each write in turn."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial

import pytest

from py_agent.errors import StorageError
from py_agent.log.store import SessionStore
from py_agent.ports.folder import Folder
from py_agent.ports.host import Host
from py_agent.run.project import Project
from py_agent.run.session import Session
from tests.crash.errand import begin, check_agreement, check_between, commit, entries, fill
from tests.crash.moments import Moment, moments
from tests.crash.notes import telling
from tests.crash.place import FaultyPlace

pytestmark = pytest.mark.disk
Action = Callable[[Host, Folder], Awaitable[object]]
STEP = 6


async def test_a_commit_that_died_leaves_whole_files_and_can_be_repeated(place: FaultyPlace) -> None:
    await die_in_commit(place, step=STEP)


@pytest.mark.slow
async def test_a_commit_that_died_at_any_write_leaves_whole_files_and_can_be_repeated(place: FaultyPlace) -> None:
    await die_in_commit(place, step=1)


async def test_an_import_that_died_is_made_whole_by_the_next(place: FaultyPlace) -> None:
    await die_in_import(place, step=STEP)


@pytest.mark.slow
async def test_an_import_that_died_at_any_write_is_made_whole_by_the_next(place: FaultyPlace) -> None:
    await die_in_import(place, step=1)


async def die_in_commit(place: FaultyPlace, *, step: int) -> None:
    folder = await filled(place)
    before = await entries(folder)
    commit_it = partial(commit, session_id=await begin(await place.open(), folder))
    found = await moments_of(place, commit_it)
    after = await entries(folder)
    for moment in found[::step]:
        folder = await filled(place)
        session_id = await begin(await place.open(), folder)
        with telling(f"{moment}"):
            await die_in(place, moment, partial(commit, session_id=session_id))
            check_between(await entries(folder), before, after)
            host = await place.restart()
            assert not (await commit(host, folder, session_id)).conflicts
            assert await entries(folder) == after
            await check_agreement(host, folder, session_id)


async def die_in_import(place: FaultyPlace, *, step: int) -> None:
    await filled(place)
    for moment in (await moments_of(place, take_over))[::step]:
        folder = await filled(place)
        with telling(f"{moment}"):
            await die_in(place, moment, take_over)
            host = await place.restart()
            session_id = await take_over(host, folder)
            await check_agreement(host, folder, session_id)


async def filled(place: FaultyPlace) -> Folder:
    await place.renew()
    folder = await place.folder()
    await fill(folder)
    return folder


async def take_over(host: Host, folder: Folder) -> str:
    """Import into the session there is, or into a new one; gives its id."""
    store = SessionStore(host)
    session_id = next(iter(await store.list()), None) or await store.create()
    session = await Session.open(host, session_id)
    try:
        await Project(folder).take_over(session)
    finally:
        await session.close()
    return session_id


async def moments_of(place: FaultyPlace, action: Action) -> list[Moment]:
    """Play an action on a disk that is well; gives the moments at which it could have died."""
    start = len(place.disk.calls)
    await action(await place.open(), await place.folder())
    return moments(place.disk.calls[start:])


async def die_in(place: FaultyPlace, moment: Moment, action: Action) -> None:
    host, folder = await place.open(), await place.folder()
    place.disk.plan("dead", len(place.disk.calls) + moment.at, is_half=moment.is_half)
    with suppress(StorageError):
        await action(host, folder)
    assert place.disk.has_struck
    place.disk.heal()
