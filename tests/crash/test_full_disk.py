"""A disk that is full, or fails, at each write in turn: told clearly, nothing lost, and the session goes on."""

import asyncio
import errno
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from py_agent.client import AgentSession
from py_agent.core.events import Result, ToolResult, ToolUse
from py_agent.errors import StorageError, StorageFailed, StorageFull
from tests.crash.notes import telling
from tests.crash.outcome import Outcome, check_cut_off, outcome_of
from tests.crash.scenes import fixed_host
from tests.crash.story import Played, StoppedError, play, play_on, story_client
from tests.crash.system import FREE, NAMES, SYNCS, TAKE_DATA, Plan, watched


@dataclass(frozen=True, slots=True)
class Fault:
    """What the system says, which calls never say it, and what becomes of it."""

    code: int
    spares: tuple[str, ...]
    error: type[StorageError]

    def strike(self) -> None:
        raise OSError(self.code, os.strerror(self.code))


FULL = Fault(errno.ENOSPC, FREE, StorageFull)
FAILING = Fault(errno.EIO, tuple(name for name in NAMES if name not in SYNCS), StorageFailed)


@dataclass(frozen=True, slots=True)
class Reference:
    outcome: Outcome
    calls: list[str]

    def plans(self, fault: Fault, *, is_lasting: bool) -> list[Plan]:
        struck = [(at, name) for at, name in enumerate(self.calls, start=1) if name not in fault.spares]
        return [
            Plan(fault.strike, at, is_half=is_half, is_lasting=is_lasting, spares=fault.spares)
            for at, name in struck
            for is_half in ((False, True) if name in TAKE_DATA else (False,))
        ]


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Reference:
    host = fixed_host(tmp_path_factory.mktemp("reference"))
    with watched(Plan()) as plan:
        asyncio.run(play(host, Played()))
    return Reference(asyncio.run(outcome_of(host)), plan.calls)


@pytest.mark.parametrize("fault", [FULL, FAILING])
async def test_a_disk_that_fails_loses_nothing_and_the_session_goes_on_after(
    reference: Reference, fault: Fault
) -> None:
    await fail_and_go_on(reference.outcome, fault, reference.plans(fault, is_lasting=True)[::7])


@pytest.mark.slow
@pytest.mark.parametrize("fault", [FULL, FAILING])
async def test_a_disk_that_fails_at_any_write_loses_nothing_and_the_session_goes_on_after(
    reference: Reference, fault: Fault
) -> None:
    await fail_and_go_on(reference.outcome, fault, reference.plans(fault, is_lasting=True))


@pytest.mark.parametrize("fault", [FULL, FAILING])
async def test_one_failed_write_ends_the_run_and_no_more(reference: Reference, fault: Fault) -> None:
    await fail_once(fault, reference.plans(fault, is_lasting=False)[::7])


@pytest.mark.slow
@pytest.mark.parametrize("fault", [FULL, FAILING])
async def test_any_one_failed_write_ends_the_run_and_no_more(reference: Reference, fault: Fault) -> None:
    await fail_once(fault, reference.plans(fault, is_lasting=False))


async def fail_and_go_on(reference: Outcome, fault: Fault, plans: Sequence[Plan]) -> None:
    for plan in plans:
        with telling(f"{fault} {plan}"), TemporaryDirectory() as root, watched(plan):
            host, played = fixed_host(Path(root)), Played()
            session = await opened(Path(root), played, plan, fault)
            if plan.at is not None:
                await expect_end(session, played, fault)
                await check_cut_off(host, reference, told=len(played.told))
                assert played.told == (await outcome_of(host)).events
                plan.heal()
            await play_on(session, played)
            await session.close()
            after = await outcome_of(host)
            assert after.files == reference.files
            assert after.stop_reasons == reference.stop_reasons


async def fail_once(fault: Fault, plans: Sequence[Plan]) -> None:
    for plan in plans:
        with telling(f"{fault} {plan}"), TemporaryDirectory() as root, watched(plan):
            host, played = fixed_host(Path(root)), Played()
            session = await opened(Path(root), played, plan, fault)
            if plan.at is not None:
                await expect_end(session, played, fault)
            *_, last = [event async for event in session.stream("again")]
            await session.close()
            assert isinstance(last, Result)
            assert last.stop_reason != "error"
            events = (await outcome_of(host)).events
            uses = [event.tool_use_id for event in events if isinstance(event, ToolUse)]
            assert sorted(uses) == sorted(event.tool_use_id for event in events if isinstance(event, ToolResult))


async def opened(root: Path, played: Played, plan: Plan, fault: Fault) -> AgentSession:
    """A session to play in. Where the disk fails already then, that is said, and it is there once it heals."""
    try:
        return await story_client(fixed_host(root), played).open()
    except fault.error:
        assert plan.has_struck
    plan.heal()
    client = story_client(fixed_host(root), played)
    return await client.open(next(iter(await client.sessions.list()), None))


async def expect_end(session: AgentSession, played: Played, fault: Fault) -> None:
    with pytest.raises(StoppedError) as stopped:
        await play_on(session, played)
    result = stopped.value.result
    assert result.error_type == fault.error.__name__
    assert os.strerror(fault.code) in (result.error_message or "")
