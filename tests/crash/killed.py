"""The two halves of a story in Node: one that is killed, and one that goes on in another process."""

import pytest

from py_agent.hosts.memory import memory_host
from tests.crash.moments import Moment
from tests.crash.outcome import check_cut_off, check_finish, outcome_of
from tests.crash.place import FaultyPlace
from tests.crash.story import Played, fixed, play

# From the first turn to the last.
KILLS = [Moment(at, is_half=at % 2 == 0) for at in (25, 44, 58, 73, 96, 118)]


@pytest.mark.parametrize("moment", KILLS)
async def die(place: FaultyPlace, moment: Moment) -> None:
    place.disk.plan("killed", moment.at, is_half=moment.is_half)
    await play(fixed(await place.open()), Played())


async def go_on(place: FaultyPlace) -> None:
    host, memory = await place.open(), memory_host()
    await play(memory, Played())
    reference = await outcome_of(memory)
    before = await check_cut_off(host, reference, told=0)
    await check_finish(fixed(host, is_later=bool(before)), reference, before)
