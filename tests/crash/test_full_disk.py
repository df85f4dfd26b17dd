"""A disk that is full, or fails, at each write in turn: told clearly, nothing lost, and the session goes on."""

from collections.abc import Sequence

import pytest

from py_agent.client import AgentSession
from py_agent.core.events import Result
from py_agent.errors import StorageError, StorageFailed, StorageFull
from tests.crash.moments import Moment, moments
from tests.crash.notes import telling
from tests.crash.outcome import Outcome, check_cut_off, outcome_of
from tests.crash.place import Fault, FaultyPlace
from tests.crash.story import Played, StoppedError, fixed, play, play_on, story_client
from tests.scenes import assert_each_call_has_one_result

pytestmark = pytest.mark.disk
ERRORS: dict[Fault, type[StorageError]] = {"full": StorageFull, "failing": StorageFailed}
PARTS = 4


@pytest.mark.parametrize("fault", ["full", "failing"])
async def test_a_disk_that_fails_for_a_time_loses_nothing_and_the_session_goes_on(
    place: FaultyPlace, fault: Fault
) -> None:
    reference, found = await play_once(place, fault)
    await fail_for_a_time(place, fault, reference, found[::25])


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["full", "failing"])
@pytest.mark.parametrize("part", range(PARTS))
async def test_a_disk_that_fails_for_a_time_from_any_write_on_loses_nothing(
    place: FaultyPlace, fault: Fault, part: int
) -> None:
    reference, found = await play_once(place, fault)
    await fail_for_a_time(place, fault, reference, found[part::PARTS])


@pytest.mark.parametrize("fault", ["full", "failing"])
async def test_a_write_that_fails_ends_the_run_and_no_more(place: FaultyPlace, fault: Fault) -> None:
    _, found = await play_once(place, fault)
    await fail_once(place, fault, found[::25])


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["full", "failing"])
@pytest.mark.parametrize("part", range(PARTS))
async def test_any_write_that_fails_ends_the_run_and_no_more(place: FaultyPlace, fault: Fault, part: int) -> None:
    _, found = await play_once(place, fault)
    await fail_once(place, fault, found[part::PARTS])


async def play_once(place: FaultyPlace, fault: Fault) -> tuple[Outcome, list[Moment]]:
    """The story on a disk that is well, and the moments at which it could have failed."""
    await place.renew()
    await play(fixed(await place.open()), Played())
    found = moments(place.disk.calls, fault)
    return await outcome_of(await place.open()), found


async def fail_for_a_time(place: FaultyPlace, fault: Fault, reference: Outcome, found: Sequence[Moment]) -> None:
    for moment in found:
        await place.renew()
        place.disk.plan(fault, moment.at, is_half=moment.is_half)
        with telling(f"{fault}, {moment}"):
            host, played = await place.open(), Played()
            session = await opened(place, fault, played)
            if session is not None:
                await expect_end(session, played, fault)
                await check_cut_off(host, reference, told=len(played.told))
                assert played.told == (await outcome_of(host)).events
            place.disk.heal()
            session = session or await story_client(fixed(host), played).open(await newest(place))
            await play_on(session, played)
            await session.close()
            after = await outcome_of(host)
            assert after.files == reference.files
            assert after.stop_reasons == reference.stop_reasons


async def fail_once(place: FaultyPlace, fault: Fault, found: Sequence[Moment]) -> None:
    for moment in found:
        await place.renew()
        place.disk.plan(fault, moment.at, is_half=moment.is_half, is_lasting=False)
        with telling(f"{fault} once, {moment}"):
            played = Played()
            session = await opened(place, fault, played)
            if session is not None:
                await expect_end(session, played, fault)
            else:
                session = await story_client(fixed(await place.open()), played).open(await newest(place))
            *_, last = [event async for event in session.stream("again")]
            await session.close()
            assert isinstance(last, Result)
            assert last.stop_reason != "error"
            assert_each_call_has_one_result((await outcome_of(await place.open())).events)


async def opened(place: FaultyPlace, fault: Fault, played: Played) -> AgentSession | None:
    """A session to play in; None where the disk fails already then, which is said."""
    try:
        return await story_client(fixed(await place.open()), played).open()
    except ERRORS[fault]:
        assert place.disk.has_struck
        return None


async def newest(place: FaultyPlace) -> str | None:
    return await story_client(await place.open(), Played()).newest()


async def expect_end(session: AgentSession, played: Played, fault: Fault) -> None:
    with pytest.raises(StoppedError) as stopped:
        await play_on(session, played)
    result = stopped.value.result
    assert result.error_type == ERRORS[fault].__name__
    assert ("No room to write" if fault == "full" else "could not be used") in (result.error_message or "")
