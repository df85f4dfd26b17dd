"""The event log, on every host: durable appends, torn ends, damage, one writer."""

import asyncio

import pytest

from py_agent.client import AgentClient
from py_agent.core.events import SessionRecovered, UserMessage
from py_agent.errors import BadFile, CorruptSessionLog, SessionLocked, SessionNotFound
from py_agent.log.store import SessionStore, log_path
from py_agent.log.transfer import export_session, import_session, repair_session
from tests.contracts.place import Place


async def fill(place: Place, count: int) -> str:
    host = await place.open()
    store = SessionStore(host)
    session_id = await store.create({"project": "x"})
    opened = await store.open(session_id)
    await opened.log.append(*[UserMessage(text=f"message {number}") for number in range(1, count + 1)])
    await opened.close()
    return session_id


async def texts(place: Place, session_id: str) -> list[str]:
    opened = await SessionStore(await place.open()).open_to_read(session_id)
    found = [event async for events in opened.log.read() for event in events]
    await opened.close()
    assert [event.seq for event in found] == list(range(1, len(found) + 1))
    return [event.text for event in found if isinstance(event, UserMessage)]


async def test_events_are_numbered_from_one_and_survive_a_restart(place: Place) -> None:
    session_id = await fill(place, 3)
    assert await texts(place, session_id) == ["message 1", "message 2", "message 3"]


async def test_lines_longer_than_what_is_read_at_once_survive_a_restart(place: Place) -> None:
    long = [letter * 150_000 for letter in "abc"]
    store = SessionStore(await place.open())
    opened = await store.open(await store.create())
    await opened.log.append(*[UserMessage(text=text) for text in ["short", *long, "short again"]])
    await opened.close()
    assert await texts(place, opened.log.session_id) == ["short", *long, "short again"]


async def test_appends_at_once_keep_their_order_and_their_batches(place: Place) -> None:
    store = SessionStore(await place.open())
    opened = await store.open(await store.create())
    told: list[str] = []
    opened.log.listen(lambda event: told.append(getattr(event, "text", "")))
    batches = [[UserMessage(text=f"{batch}.{number}") for number in range(3)] for batch in range(5)]
    await asyncio.gather(*[opened.log.append(*batch) for batch in batches])
    assert told == [event.text for batch in batches for event in batch]
    await opened.close()


async def test_a_torn_last_line_is_cut_off_at_every_byte_and_reported(place: Place) -> None:
    session_id = await fill(place, 2)
    path = log_path(session_id)
    whole = await (await place.open()).storage.read(path)
    last = whole[:-1].rindex(b"\n") + 1
    for size in range(last + 1, len(whole), 7):
        await (await place.open()).storage.write(path, whole[:size])
        opened = await SessionStore(await place.open()).open(session_id)
        found = [event async for events in opened.log.read() for event in events]
        await opened.log.append(UserMessage(text="goes on"))
        await opened.close()
        assert [event.type for event in found] == ["user.message", "session.recovered"]
        assert isinstance(found[1], SessionRecovered)
        assert opened.log.recovered == found[1]
        assert found[1].dropped_bytes == size - last
        assert await texts(place, session_id) == ["message 1", "goes on"]


async def test_damage_in_the_middle_is_named_and_nothing_is_overwritten(place: Place) -> None:
    session_id = await fill(place, 3)
    path = log_path(session_id)
    storage = (await place.open()).storage
    damaged = (await storage.read(path)).replace(b"message 2", b"massage 2")
    await storage.write(path, damaged)
    store = SessionStore(await place.open())
    for open_it in (store.open, store.open_to_read):
        with pytest.raises(CorruptSessionLog) as caught:
            await open_it(session_id)
        assert (caught.value.session_id, caught.value.line) == (session_id, 2)
    assert await (await place.open()).storage.read(path) == damaged


async def test_repair_salvages_the_rest_into_a_new_session(place: Place) -> None:
    session_id = await fill(place, 3)
    path = log_path(session_id)
    storage = (await place.open()).storage
    await storage.write(path, (await storage.read(path)).replace(b"message 2", b"massage 2") + b"torn")
    new_id, lost = await repair_session(await place.open(), session_id)
    assert lost == [2, 4]
    meta = await SessionStore(await place.open()).read_meta(new_id)
    assert meta.metadata == {"project": "x", "repaired_from": session_id}
    assert await texts(place, new_id) == ["message 1", "message 3"]


async def test_one_writer_at_a_time(place: Place) -> None:
    session_id = await fill(place, 1)
    store = SessionStore(await place.open())
    opened = await store.open(session_id)
    with pytest.raises(SessionLocked):
        await store.open(session_id)
    await opened.close()
    await (await store.open(session_id)).close()


async def test_a_session_moves_from_one_place_to_another_byte_for_byte(place: Place) -> None:
    session_id = await fill(place, 3)
    host = await place.open()
    before = await host.storage.read(log_path(session_id))
    data = await export_session(host, session_id)
    assert data == await export_session(host, session_id)
    await SessionStore(host).delete(session_id)
    assert await import_session(host, data) == session_id
    assert await host.storage.read(log_path(session_id)) == before
    assert (await SessionStore(host).read_meta(session_id)).metadata == {"project": "x"}


async def test_a_damaged_file_is_taken_in_right_or_refused_with_nothing_kept(place: Place) -> None:
    session_id = await fill(place, 3)
    host = await place.open()
    data = await export_session(host, session_id)
    await SessionStore(host).delete(session_id)
    for position in range(0, len(data), 5):
        damaged = bytearray(data)
        damaged[position] ^= 0xFF
        for candidate in (bytes(damaged), data[:position]):
            try:
                found = await import_session(host, candidate)
            except BadFile:
                assert await SessionStore(host).list() == []
            else:
                assert await texts(place, found) == ["message 1", "message 2", "message 3"]
                await SessionStore(host).delete(found)


async def test_import_takes_lines_without_a_checksum(place: Place) -> None:
    host = await place.open()
    session_id = "ab" * 16
    line = b'{"seq":1,"type":"user.message","text":"hi","session_id":"%b","later":1}\n' % session_id.encode()
    assert await import_session(host, line) == session_id
    assert await texts(place, session_id) == ["hi"]


async def test_a_session_that_is_not_there_is_named(place: Place) -> None:
    with pytest.raises(SessionNotFound):
        await SessionStore(await place.open()).open("0" * 32)


async def test_the_newest_session_is_found_beside_one_that_is_broken(place: Place) -> None:
    broken, whole = await fill(place, 1), await fill(place, 1)
    host = await place.open()
    await host.storage.write(f"sessions/{broken}/meta.json", b"{")
    await host.storage.write(f"sessions/{'0' * 32}/events.jsonl", b"")
    assert await AgentClient(host).newest() == whole
