"""The same script gives the same bytes on every host, and today's code reads what earlier code wrote."""

import pytest

from py_agent.hosts.memory import memory_host
from py_agent.log.transfer import import_session
from py_agent.run.session import Session
from tests.contracts.place import Place
from tests.golden.player import play
from tests.golden.script import log_file, names, read_script


@pytest.mark.parametrize("name", names())
async def test_a_script_gives_its_golden_log_to_the_byte(place: Place, name: str) -> None:
    log = await play(read_script(name), await place.open(), await place.folder())
    golden = log_file(name).read_bytes()
    for line, expected in zip(log.splitlines(), golden.splitlines(), strict=False):
        assert line == expected
    assert log == golden


@pytest.mark.parametrize("name", names())
async def test_a_golden_log_is_taken_in_as_it_is(name: str) -> None:
    host = memory_host()
    session = await Session.open(host, await import_session(host, log_file(name).read_bytes()))
    assert session.state.run is None
    await session.close()
