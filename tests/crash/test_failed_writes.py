"""Single writes that fail at an awkward moment."""

import errno
import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from py_agent.client import AgentSession
from py_agent.core.events import Event, Result, UserMessage
from py_agent.errors import StorageFailed, StorageFull
from py_agent.hosts.cpython import cpython_host
from py_agent.log.store import log_path
from tests.crash.system import Plan, watched
from tests.scenes import call, client_with, run_all, script, stored, types

DONE = {"text": "Done."}


def full() -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def failing() -> None:
    raise OSError(errno.EIO, os.strerror(errno.EIO))


async def test_a_file_that_could_not_be_cut_back_is_cut_before_the_next_append(tmp_path: Path) -> None:
    file = await cpython_host(tmp_path).storage.open("log")
    await file.append(b"one")
    with watched(Plan(failing, fault="failing")) as plan:
        plan.strike_next(is_lasting=True)
        for _ in range(2):
            with pytest.raises(StorageFailed):
                await file.append(b"lost, and longer than what follows")
        plan.heal()
        await file.append(b"two")
    assert (tmp_path / "log").read_bytes() == b"onetwo"
    await file.close()


async def test_a_cut_that_failed_is_made_before_the_next_append(tmp_path: Path) -> None:
    file = await cpython_host(tmp_path).storage.open("log")
    await file.append(b"one and a torn end")
    with watched(Plan(failing)) as plan:
        plan.strike_next(is_lasting=False)
        with pytest.raises(StorageFailed):
            await file.truncate(3)
        await file.append(b"two")
    assert (tmp_path / "log").read_bytes() == b"onetwo"
    await file.close()


async def test_a_new_file_whose_name_was_not_flushed_is_flushed_when_it_is_opened_again(tmp_path: Path) -> None:
    storage = cpython_host(tmp_path).storage
    with watched(Plan(failing, fault="failing")) as plan:
        plan.strike_next(is_lasting=False)
        with pytest.raises(StorageFailed):
            await storage.open("log")
        plan.calls.clear()
        await (await storage.open("log")).close()
        assert plan.calls == ["fsync"]


async def test_a_lock_that_could_not_be_written_is_free_again(tmp_path: Path) -> None:
    locks = cpython_host(tmp_path).locks
    await (await locks.acquire("a")).release()
    with watched(Plan(full, fault="full")) as plan:
        plan.strike_next(is_lasting=False)
        with pytest.raises(StorageFull):
            await locks.acquire("a")
        await (await locks.acquire("a")).release()


async def test_a_run_whose_end_could_not_be_stored_is_unfinished(tmp_path: Path) -> None:
    steps = script(call("Write", file_path="a.txt", content="x"), DONE)
    with watched(Plan(full, fault="full")) as plan:
        async with await client_with(cpython_host(tmp_path), steps).open() as session:
            events = await run_and_strike(session, plan, "tool.use")
            assert events[-1].seq is None
            assert session.is_unfinished
            plan.heal()
            assert types([event async for event in session.resume()])[-1] == "result"
            assert types(await stored(session)).count("result") == 1


async def test_an_end_that_could_not_be_stored_is_told_as_an_error(tmp_path: Path) -> None:
    with watched(Plan(full, fault="full")) as plan:
        async with await client_with(cpython_host(tmp_path), script(DONE)).open() as session:
            last = (await run_and_strike(session, plan, "assistant.message"))[-1]
            assert isinstance(last, Result)
            assert (last.stop_reason, last.error_type, last.final_text) == ("error", "StorageFull", "Done.")


async def test_words_are_not_taken_while_the_run_before_them_cannot_be_closed(tmp_path: Path) -> None:
    with watched(Plan(full, fault="full")) as plan:
        async with await client_with(cpython_host(tmp_path), script(DONE)).open() as session:
            await run_and_strike(session, plan, "user.message")
            plan.strike_next(is_lasting=False)
            last = (await run_all(session, "not taken"))[-1]
            assert isinstance(last, Result)
            assert (last.stop_reason, last.error_type) == ("error", "StorageFull")
            await run_all(session, "taken")
            events = await stored(session)
    assert [event.text for event in events if isinstance(event, UserMessage)] == ["go", "taken"]
    assert types(events) == ["system.init", "user.message", "result", "user.message", "assistant.message", "result"]


async def test_a_limit_on_the_size_of_files_is_met_as_a_full_disk(tmp_path: Path) -> None:
    client = client_with(cpython_host(tmp_path), script(DONE, DONE))
    async with await client.open() as session:
        await run_all(session, "fits")
        log = tmp_path / log_path(session.session_id)
        before = log.read_bytes()
        with file_size_limit(len(before) + 100):
            events = await run_all(session, "does not fit")
        assert isinstance(events[0], Result)
        assert (events[0].stop_reason, events[0].error_type) == ("error", "StorageFull")
        assert log.read_bytes() == before
        assert types(await run_all(session, "fits again")) == ["user.message", "assistant.message", "result"]


async def run_and_strike(session: AgentSession, plan: Plan, event_type: str) -> list[Event]:
    """A run on a disk that is full from an event on."""
    events: list[Event] = []
    async for event in session.stream("go"):
        events.append(event)
        if event.type == event_type:
            plan.strike_next(is_lasting=True)
    return events


@contextmanager
def file_size_limit(size: int) -> Iterator[None]:
    """What the system does here it does on a full disk too: it writes what fits and refuses the rest."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
