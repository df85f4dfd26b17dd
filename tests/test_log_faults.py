"""The log when the disk does not do what it should."""

import asyncio

import pytest

from py_agent.core.events import Result, UserMessage
from py_agent.errors import CorruptSessionLog, StorageError, StorageFailed, StorageFull
from py_agent.hosts.memory import memory_host
from py_agent.hosts.memory.storage import MemoryFile, MemoryStorage
from py_agent.log.store import SessionStore, log_path
from tests.scenes import call, client_with, run_all, script


class FaultyFile(MemoryFile):
    """Fails on demand, as a disk does: nothing of what failed is kept."""

    def __init__(self, data: bytearray, storage: "FaultyStorage") -> None:
        super().__init__(data)
        self._storage = storage

    async def close(self) -> None:
        self._storage.closed += 1

    async def append(self, data: bytes) -> None:
        await asyncio.sleep(0)
        self._storage.appends += 1
        if self._storage.fault is not None:
            raise self._storage.fault
        await super().append(data)


class FaultyStorage(MemoryStorage):
    def __init__(self) -> None:
        super().__init__()
        self.fault: StorageError | None = None
        self.appends = 0
        self.closed = 0

    async def open(self, path: str) -> FaultyFile:
        return FaultyFile(self.files.setdefault(path, bytearray()), self)


async def test_a_full_disk_ends_the_run_with_a_clear_error_and_it_works_again_later() -> None:
    storage = FaultyStorage()
    steps = script(call("Write", file_path="a", content="1"), {"text": "Done."})
    client = client_with(memory_host(storage), steps)
    async with await client.open() as session:
        events = []
        async for event in session.stream("go"):
            events.append(event)
            if event.type == "tool.use":
                storage.fault = StorageFull("No room.")
        assert isinstance(events[-1], Result)
        assert (events[-1].stop_reason, events[-1].error_type) == ("error", "StorageFull")
        assert events[-1].seq is None
        storage.fault = None
        later = await run_all(session, "again")
        assert isinstance(later[-1], Result)
        assert later[-1].stop_reason == "end"


async def test_a_full_disk_before_the_first_event_still_gives_a_result() -> None:
    storage = FaultyStorage()
    async with await client_with(memory_host(storage), script({"text": "x"})).open() as session:
        storage.fault = StorageFull("No room.")
        events = await run_all(session, "go")
        assert [event.type for event in events] == ["result"]


async def test_nobody_is_told_of_what_was_not_flushed() -> None:
    storage = FaultyStorage()
    store = SessionStore(memory_host(storage))
    opened = await store.open(await store.create())
    told: list[object] = []
    opened.log.listen(told.append)
    storage.fault = StorageFailed("The flush failed.")
    with pytest.raises(StorageFailed):
        await opened.log.append(UserMessage(text="lost"))
    assert told == []
    assert opened.log.length == 0
    storage.fault = None
    assert (await opened.log.append(UserMessage(text="kept")))[0].seq == 1
    assert bytes(storage.files[log_path(opened.log.session_id)]).count(b"\n") == 1


async def test_appends_that_wait_share_a_flush() -> None:
    storage = FaultyStorage()
    store = SessionStore(memory_host(storage))
    opened = await store.open(await store.create())
    await asyncio.gather(*[opened.log.append(UserMessage(text=str(number))) for number in range(50)])
    assert storage.appends <= 2


async def test_a_cancelled_append_is_whole_or_absent() -> None:
    storage = FaultyStorage()
    store = SessionStore(memory_host(storage))
    opened = await store.open(await store.create())
    task = asyncio.create_task(opened.log.append(UserMessage(text="a"), UserMessage(text="b")))
    await asyncio.sleep(0)
    task.cancel()
    await opened.log.drain()
    assert opened.log.length == 2


async def test_a_damaged_log_that_cannot_be_opened_is_not_left_open() -> None:
    storage = FaultyStorage()
    store = SessionStore(memory_host(storage))
    session_id = await store.create()
    storage.files[log_path(session_id)] = bytearray(b"no event\nno event\n")
    for open_it in (store.open, store.open_to_read):
        storage.closed = 0
        with pytest.raises(CorruptSessionLog):
            await open_it(session_id)
        assert storage.closed == 1


async def test_an_event_that_cannot_be_stored_fails_alone() -> None:
    store = SessionStore(memory_host())
    opened = await store.open(await store.create())
    texts = ["before", "\ud800", "after"]
    done = await asyncio.gather(*[opened.log.append(UserMessage(text=text)) for text in texts], return_exceptions=True)
    assert isinstance(done[1], StorageFailed)
    assert [event.seq for stored in (done[0], done[2]) if isinstance(stored, list) for event in stored] == [1, 2]


async def test_a_loop_that_ends_in_mid_write_leaves_nobody_waiting_and_the_log_whole() -> None:
    storage = FaultyStorage()
    store = SessionStore(memory_host(storage))
    session_id = await store.create()
    for pauses in range(4):
        opened = await store.open(session_id)
        waiting = asyncio.create_task(opened.log.append(UserMessage(text="a"), UserMessage(text="b")))
        for _ in range(pauses):
            await asyncio.sleep(0)
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()
        await opened.log.drain()
        await asyncio.wait([waiting])
        if pauses in (1, 2):
            with pytest.raises(StorageFailed):
                await opened.log.append(UserMessage(text="c"))
        await opened.close()
    opened = await store.open_to_read(session_id)
    assert opened.log.length in (2, 4)
