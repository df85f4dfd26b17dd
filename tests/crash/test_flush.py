"""What is said to be stored has been flushed, the names of files included."""

import hashlib
from collections.abc import Sequence

import pytest

from py_agent.core.events import UserMessage
from py_agent.errors import StorageFailed
from py_agent.log.store import SessionStore
from tests.crash.moments import SYNCS
from tests.crash.place import FaultyPlace

pytestmark = pytest.mark.disk
DATA = b"some bytes"
BLOB = (hashlib.sha256(DATA).hexdigest(), DATA)


async def test_nobody_is_told_of_an_event_before_it_is_flushed(place: FaultyPlace) -> None:
    await place.renew()
    store = SessionStore(await place.open())
    opened = await store.open(await store.create())
    last: list[str] = []
    opened.log.listen(lambda _: last.append(place.disk.calls[-1]))
    for _ in range(3):
        await opened.log.append(UserMessage(text="a"), UserMessage(text="b"))
    await opened.close()
    assert len(last) == 6
    assert {*last} <= {*SYNCS}


async def test_files_and_blobs_are_flushed_when_they_are_there(place: FaultyPlace) -> None:
    await place.renew()
    storage = (await place.open()).storage
    await storage.write("a/b", DATA)
    assert is_flushed(place.disk.calls)
    await storage.blobs.put_many([BLOB])
    assert is_flushed(place.disk.calls)


async def test_a_blob_whose_flush_failed_is_flushed_when_it_is_put_again(place: FaultyPlace) -> None:
    await place.renew()
    await (await place.open()).storage.blobs.put_many([BLOB])
    syncs = [at for at, name in enumerate(place.disk.calls, start=1) if name in SYNCS]
    for sync in syncs:
        await place.renew()
        blobs = (await place.open()).storage.blobs
        place.disk.plan("failing", sync, is_lasting=False)
        with pytest.raises(StorageFailed):
            await blobs.put_many([BLOB])
        failed = len(place.disk.calls)
        await blobs.put_many([BLOB])
        assert is_flushed(place.disk.calls[failed:])
        assert await blobs.get(BLOB[0]) == DATA


def is_flushed(calls: Sequence[str]) -> bool:
    return bool(calls) and calls[-1] in SYNCS
