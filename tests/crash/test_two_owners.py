"""Two processes, or workers, on one session: one writes, others read, and a killed one gives it up."""

import pytest

from py_agent.core.events import UserMessage
from py_agent.errors import SessionLocked
from py_agent.log.store import SessionStore, directory
from py_agent.ports.host import Host
from tests.crash.place import FaultyPlace

pytestmark = pytest.mark.disk


async def test_a_second_owner_is_refused_but_may_read_until_the_first_is_killed(place: FaultyPlace) -> None:
    store = SessionStore(await place.open())
    session_id = await store.create()
    opened = await store.open(session_id)
    await opened.log.append(UserMessage(text="one"))
    await opened.close()
    await place.restart()
    owner = await place.own(directory(session_id))
    try:
        host = await place.restart()
        with pytest.raises(SessionLocked):
            await SessionStore(host).open(session_id)
        assert await texts(host, session_id) == ["one"]
    finally:
        await owner.kill()
    opened = await SessionStore(await place.restart()).open(session_id)
    await opened.log.append(UserMessage(text="two"))
    await opened.close()
    assert await texts(host, session_id) == ["one", "two"]


async def texts(host: Host, session_id: str) -> list[str]:
    opened = await SessionStore(host).open_to_read(session_id)
    events = [event async for events in opened.log.read() for event in events]
    await opened.close()
    return [event.text for event in events if isinstance(event, UserMessage)]
