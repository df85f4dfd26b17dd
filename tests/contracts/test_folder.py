"""A person's folder: what the port promises, on every host."""

import pytest

from py_agent.core.paths import ROOT, WorkspacePath
from py_agent.errors import PathExists, PathMissing, WrongKind
from tests.contracts.place import Place
from tests.folders import can_link

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


async def test_what_lies_nowhere_is_removed_without_an_error(place: Place) -> None:
    folder = await place.folder()
    await folder.remove(DEEP)
    await folder.write(A, b"x")
    with pytest.raises(WrongKind):
        await folder.remove(WorkspacePath("a.txt/below"))
    assert await folder.read(A) == b"x"


async def test_names_are_sorted_and_kept_as_they_are(place: Place) -> None:
    folder = await place.folder()
    names = sorted(["B", "a", "z z", "%2e%2e", "\u00e9", "\U0001f600", ".dot", "-", "#", "x" * 200])
    for name in names:
        await folder.write(WorkspacePath(name), name.encode())
    assert [entry.name for entry in await folder.list(ROOT)] == names
    assert list(await folder.read_many([WorkspacePath(name) for name in names])) == [name.encode() for name in names]


async def test_a_large_file_comes_back_whole(place: Place) -> None:
    folder = await place.folder()
    data = DATA * 12_000
    await folder.write(A, data)
    assert await folder.read(A) == data


async def test_nothing_is_written_over_what_the_writer_has_not_seen(place: Place) -> None:
    folder = await place.folder()
    await folder.write(A, b"first", seen=None)
    seen = await folder.stat(A)
    await folder.write(A, b"another")
    for outdated in (None, seen):
        with pytest.raises(PathExists):
            await folder.write(A, b"mine", seen=outdated)
        with pytest.raises(PathExists):
            await folder.remove(A, seen=outdated)
    assert await folder.read(A) == b"another"
    assert [entry.name for entry in await folder.list(ROOT)] == ["a.txt"]
    await folder.write(A, b"mine", seen=await folder.stat(A))
    assert await folder.read(A) == b"mine"
    await folder.remove(A, seen=await folder.stat(A))
    with pytest.raises(PathExists):
        await folder.write(A, b"mine", seen=seen)
    assert await folder.list(ROOT) == []


async def test_a_directory_that_was_seen_is_removed_once_it_is_empty(place: Place) -> None:
    folder = await place.folder()
    await folder.write(DEEP, DATA)
    seen = await folder.stat(WorkspacePath("x/y"))
    await folder.remove(DEEP)
    await folder.remove(WorkspacePath("x/y"), seen=seen)
    assert await folder.list(WorkspacePath("x")) == []


async def test_links_are_kept_and_never_followed_or_refused(place: Place) -> None:
    folder = await place.folder()
    await folder.write(DEEP, DATA)
    link = WorkspacePath("link")
    if not await can_link(folder, link, "x"):
        assert await folder.stat(link) is None
        return
    entry = await folder.stat(link)
    assert entry is not None
    assert (entry.kind, entry.target) == ("symlink", "x")
    assert [(entry.name, entry.target) for entry in await folder.list(ROOT)] == [("link", "x"), ("x", None)]
    through = WorkspacePath("link/y/b.bin")
    assert await folder.stat(through) is None
    for reading in (folder.read(through), folder.read(link), folder.list(link), folder.list(WorkspacePath("link/y"))):
        with pytest.raises(PathMissing):
            await reading
    for writing in (
        folder.write(through, b"new"),
        folder.make_dir(WorkspacePath("link/z")),
        folder.remove(through),
        folder.link(WorkspacePath("link/y/c"), "x"),
    ):
        with pytest.raises(WrongKind):
            await writing
    await folder.link(link, "elsewhere", seen=entry)
    with pytest.raises(PathExists):
        await folder.link(link, "x", seen=entry)
    await folder.write(link, b"a file now")
    assert (await folder.read(link), await folder.read(DEEP)) == (b"a file now", DATA)
    await folder.remove(link)


async def test_an_executable_file_is_one_where_the_folder_can_tell(place: Place) -> None:
    folder = await place.folder()
    await folder.write(A, b"x", executable=True)
    entry = await folder.stat(A)
    assert entry is not None
    assert entry.executable in (True, None)
    await folder.write(A, b"y", executable=False)
    again = await folder.stat(A)
    assert again is not None
    assert again.executable in ((False,) if entry.executable else (None,))
