"""Sessions that are imported, repaired or deleted on a disk that dies at each write in turn."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress

import pytest

from py_agent.core.events import UserMessage
from py_agent.errors import StorageError
from py_agent.hosts.memory import memory_host
from py_agent.log.store import SessionStore, log_path
from py_agent.log.transfer import export_session, import_session, repair_session
from py_agent.ports.host import Host
from tests.crash.moments import moments
from tests.crash.notes import telling
from tests.crash.place import FaultyPlace

pytestmark = pytest.mark.disk
TEXTS = ["one", "two", "three"]


async def test_an_import_that_died_left_no_session_and_can_be_repeated(place: FaultyPlace) -> None:
    data = await exported()

    async def take_in(host: Host) -> None:
        await import_session(host, data)

    async for host in each_death(place, take_in):
        store = SessionStore(host)
        if not await store.list():
            await import_session(host, data)
        [session_id] = await store.list()
        assert await texts(host, session_id) == TEXTS


async def test_a_repair_that_died_left_the_old_session_and_no_half_of_a_new_one(place: FaultyPlace) -> None:
    data = await exported()
    old = ""

    async def prepare(host: Host) -> None:
        nonlocal old
        old = await import_session(host, data)
        log = await host.storage.read(log_path(old))
        await host.storage.write(log_path(old), log.replace(b"two", b"zwo"))

    async def repair(host: Host) -> None:
        await repair_session(host, old)

    async for host in each_death(place, repair, prepare=prepare):
        await repair_session(host, old)
        for new in set(await SessionStore(host).list()) - {old}:
            assert await texts(host, new) == ["one", "three"]
        assert b"zwo" in await host.storage.read(log_path(old))


async def test_a_deletion_that_died_left_the_whole_session_or_none(place: FaultyPlace) -> None:
    data = await exported()

    async def prepare(host: Host) -> None:
        await import_session(host, data)

    async def delete(host: Host) -> None:
        [session_id] = await SessionStore(host).list()
        await SessionStore(host).delete(session_id)

    async for host in each_death(place, delete, prepare=prepare):
        for session_id in await SessionStore(host).list():
            assert await texts(host, session_id) == TEXTS
            await delete(host)
        await import_session(host, data)
        [session_id] = await SessionStore(host).list()
        assert await texts(host, session_id) == TEXTS


async def exported() -> bytes:
    host = memory_host()
    store = SessionStore(host)
    opened = await store.open(await store.create())
    await opened.log.append(*[UserMessage(text=text) for text in TEXTS])
    await opened.close()
    return await export_session(host, opened.log.session_id)


async def texts(host: Host, session_id: str) -> list[str]:
    opened = await SessionStore(host).open_to_read(session_id)
    events = [event async for events in opened.log.read() for event in events]
    await opened.close()
    return [event.text for event in events if isinstance(event, UserMessage)]


async def nothing(_: Host) -> None:
    return None


async def each_death(
    place: FaultyPlace, action: Callable[[Host], Awaitable[None]], prepare: Callable[[Host], Awaitable[None]] = nothing
) -> AsyncIterator[Host]:
    """A host over what is left each time the action died at another write."""
    await place.renew()
    await prepare(await place.open())
    start = len(place.disk.calls)
    await action(await place.open())
    for moment in moments(place.disk.calls[start:]):
        await place.renew()
        await prepare(await place.open())
        place.disk.plan("dead", len(place.disk.calls) + moment.at, is_half=moment.is_half)
        with suppress(StorageError):
            await action(await place.open())
        assert place.disk.has_struck
        place.disk.heal()
        with telling(f"{moment}"):
            yield await place.restart()
