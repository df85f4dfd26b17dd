"""A disk on which nothing is written from some call on: what a process leaves that is killed at that call."""

from collections.abc import Sequence
from contextlib import suppress

import pytest

from py_agent.errors import StorageError
from tests.crash.moments import Moment, moments
from tests.crash.notes import telling
from tests.crash.outcome import Outcome, check_cut_off, check_finish, outcome_of
from tests.crash.place import FaultyPlace
from tests.crash.story import Played, StoppedError, fixed, play

pytestmark = pytest.mark.disk
PARTS = 4


async def test_a_session_that_died_at_some_write_is_whole_and_goes_on(place: FaultyPlace) -> None:
    reference, found = await play_once(place)
    await die_and_go_on(place, reference, found[::25])


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
async def test_a_session_that_died_at_any_write_is_whole_and_goes_on(place: FaultyPlace, part: int) -> None:
    reference, found = await play_once(place)
    await die_and_go_on(place, reference, found[part::PARTS])


async def play_once(place: FaultyPlace) -> tuple[Outcome, list[Moment]]:
    await place.renew()
    await play(fixed(await place.open()), Played())
    found = moments(place.disk.calls)
    return await outcome_of(await place.open()), found


async def die_and_go_on(place: FaultyPlace, reference: Outcome, found: Sequence[Moment]) -> None:
    for moment in found:
        await place.renew()
        place.disk.plan("dead", moment.at, is_half=moment.is_half)
        played = Played()
        with telling(f"{moment}"):
            with suppress(StoppedError, StorageError):
                await play(fixed(await place.open()), played)
            assert place.disk.has_struck
            place.disk.heal()
            host = await place.restart()
            before = await check_cut_off(host, reference, told=len(played.told))
            await check_finish(fixed(host, is_later=bool(before)), reference, before)
