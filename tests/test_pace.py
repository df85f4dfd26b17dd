"""Long work gives way: with a clock that ticks once a look, the turns of others can be counted."""

import asyncio
from collections.abc import Awaitable

import pytest

from py_agent.hosts.memory import MemoryFolder, StepClock, memory_host
from py_agent.run.project import Project
from py_agent.run.session import Session
from py_agent.workspace.pace import Pace
from tests.folders import at, delete, do, put, write

FILES = 2000


async def turns_during(work: Awaitable[object]) -> int:
    turns = 0

    async def count() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0)
            turns += 1

    counting = asyncio.create_task(count())
    await work
    counting.cancel()
    return turns


async def test_a_task_that_takes_no_time_keeps_its_turn() -> None:
    async def work() -> None:
        pace = Pace(StepClock(tick_seconds=0.0))
        for _ in range(10_000):
            await pace.step()

    assert await turns_during(work()) == 0


@pytest.mark.parametrize("tick_seconds", [0.001, 0.005, 0.02])
async def test_no_turn_is_longer_than_the_clock_allows(tick_seconds: float) -> None:
    looks = 1000

    async def work() -> None:
        pace = Pace(StepClock(tick_seconds=tick_seconds))
        for _ in range(looks * 16):
            await pace.step()

    assert await turns_during(work()) >= min(looks, looks * tick_seconds / 0.02) - 1


async def test_an_import_a_scan_a_glob_and_a_commit_give_way_all_the_time() -> None:
    folder = MemoryFolder()
    await put(folder, {f"d{number % 20}/{number}.txt": b"%d" % number for number in range(FILES)})
    await folder.write(at(".gitignore"), b"\n".join(b"*.%d" % number for number in range(500)))
    session, project = await Session.create(memory_host()), Project(folder)
    enough = FILES // (16 * 20)
    assert await turns_during(project.take_over(session)) > 3 * enough
    assert await turns_during(project.take_over(session)) > 2 * enough
    assert await turns_during(session.workspace.glob("**/*1*.txt")) >= enough
    await do(session, *[write(f"new/{number}", b"x") for number in range(FILES)], delete("d1"))
    assert await turns_during(project.commit(session)) >= enough
    assert await folder.read(at("new/7")) == b"x"
