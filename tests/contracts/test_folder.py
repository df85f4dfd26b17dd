"""A person's folder: what the port promises, on every host."""

import pytest

from py_agent.core.paths import ROOT, WorkspacePath
from py_agent.errors import PathMissing, WrongKind
from tests.contracts.place import Place

A = WorkspacePath("a.txt")
DEEP = WorkspacePath("x/y/b.bin")
DATA = bytes(range(256))


async def test_a_written_file_is_read_stated_and_listed(place: Place) -> None:
    folder = await place.folder()
    mtime_ns = await folder.write(DEEP, DATA)
    assert await folder.read(DEEP) == DATA
    entry = await folder.stat(DEEP)
    assert entry is not None
    assert (entry.name, entry.kind, entry.size, entry.mtime_ns) == ("b.bin", "file", len(DATA), mtime_ns)
    assert [(entry.name, entry.kind) for entry in await folder.list(ROOT)] == [("x", "dir")]


async def test_many_files_are_read_at_once_in_order_and_those_that_cannot_be_are_left_out(place: Place) -> None:
    folder = await place.folder()
    await folder.write(A, b"x")
    await folder.write(DEEP, DATA)
    await folder.make_dir(WorkspacePath("d"))
    missing = [WorkspacePath(text) for text in ("none", "d", "a.txt/below")]
    assert list(await folder.read_many([DEEP, *missing, A])) == [DATA, None, None, None, b"x"]
    assert list(await folder.read_many([])) == []


async def test_writing_again_replaces_the_whole_file_and_leaves_nothing_beside_it(place: Place) -> None:
    folder = await place.folder()
    await folder.write(A, b"a longer text than the next")
    await folder.write(A, b"short")
    assert await folder.read(A) == b"short"
    assert [entry.name for entry in await folder.list(ROOT)] == ["a.txt"]


async def test_what_is_not_there_is_missing(place: Place) -> None:
    folder = await place.folder()
    assert await folder.stat(DEEP) is None
    await folder.remove(A)
    with pytest.raises(PathMissing):
        await folder.read(A)
    with pytest.raises(PathMissing):
        await folder.list(WorkspacePath("x"))


async def test_a_file_is_no_directory_and_a_directory_is_no_file(place: Place) -> None:
    folder = await place.folder()
    await folder.write(A, b"x")
    await folder.make_dir(WorkspacePath("d"))
    await folder.make_dir(WorkspacePath("d"))
    assert await folder.stat(WorkspacePath("a.txt/below")) is None
    with pytest.raises(PathMissing):
        await folder.list(A)
    with pytest.raises(PathMissing):
        await folder.read(WorkspacePath("d"))
    with pytest.raises(WrongKind):
        await folder.write(WorkspacePath("a.txt/below"), b"y")
    with pytest.raises(WrongKind):
        await folder.write(WorkspacePath("d"), b"y")
    assert await folder.read(A) == b"x"


async def test_only_empty_directories_are_removed(place: Place) -> None:
    folder = await place.folder()
    await folder.write(DEEP, DATA)
    with pytest.raises(WrongKind):
        await folder.remove(WorkspacePath("x"))
    await folder.remove(DEEP)
    await folder.remove(WorkspacePath("x/y"))
    await folder.remove(WorkspacePath("x"))
    assert await folder.list(ROOT) == []
