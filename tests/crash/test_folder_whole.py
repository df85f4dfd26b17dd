"""A person's folder while it is written to, and with what a crash left in it."""

import asyncio

import pytest

from py_agent.core.paths import ROOT, WorkspacePath
from tests.contracts.place import Place
from tests.crash.errand import entries
from tests.crash.place import FaultyPlace

A = WorkspacePath("a.txt")
OLD = b"an old text"
NEW = b"a new text" * 10_000


@pytest.mark.parametrize("old", [None, OLD])
async def test_a_file_is_there_whole_or_not_at_all_while_it_is_written(place: Place, old: bytes | None) -> None:
    folder = await place.folder()
    if old is not None:
        await folder.write(A, old)
    writing = asyncio.create_task(folder.write(A, NEW))
    while not writing.done():
        assert (await entries(folder)).keys() <= {A}
        entry = await folder.stat(A)
        assert (entry and entry.size) in (old and len(old), len(NEW))
        await asyncio.sleep(0)
    await writing
    assert await folder.read(A) == NEW
    assert [entry.name for entry in await folder.list(ROOT)] == [A]


@pytest.mark.disk
async def test_what_a_crash_left_in_a_directory_does_not_keep_it_from_being_removed(place: FaultyPlace) -> None:
    folder = await place.folder()
    await folder.write(WorkspacePath("d/.py-agent-0123456789abcdef"), b"half of a file")
    await folder.remove(WorkspacePath("d"))
    assert await folder.list(ROOT) == []
