"""Import and commit when the folder does not hold still, or does not do as it should."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from py_agent.core.limits import ImportLimits
from py_agent.core.paths import ROOT, WorkspacePath
from py_agent.errors import PathMissing, StorageError, StorageFailed, StorageFull
from py_agent.hosts.memory import MemoryFolder, StepClock, memory_host
from py_agent.ports.folder import FolderEntry, Seen
from py_agent.run.project import Project
from py_agent.run.session import Session
from tests.folders import at, contents_of, delete, do, paths_of, put, remove_all, write


class FaultyFolder(MemoryFolder):
    """Does something of its own before a path is listed, read or written, and fails where it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.faults: dict[str, StorageError | PathMissing] = {}
        self.before_list: dict[str, Callable[[], object]] = {}
        self.before_write: dict[str, bytes] = {}
        self.reads = 0

    async def list(self, path: WorkspacePath) -> Sequence[FolderEntry]:
        if path in self.before_list:
            self.before_list.pop(path)()
        self._fail(path)
        return await super().list(path)

    async def stat(self, path: WorkspacePath) -> FolderEntry | None:
        self._fail(path)
        return await super().stat(path)

    async def read_many(self, paths: Sequence[WorkspacePath]) -> Sequence[bytes | None]:
        self.reads += len(paths)
        found = await super().read_many(paths)
        return [None if path in self.faults else data for path, data in zip(paths, found, strict=True)]

    async def write(
        self, path: WorkspacePath, data: bytes, *, executable: bool = False, seen: Seen = "anything"
    ) -> int:
        self._fail(path)
        if path in self.before_write:
            await super().write(path, self.before_write.pop(path))
        return await super().write(path, data, executable=executable, seen=seen)

    def drop(self, path: str) -> None:
        """Take a path and all below it away at once."""
        for node in [node for node in self._nodes if node == path or node.is_below(at(path))]:
            del self._nodes[node]
            self._names[node.parent].discard(node.name)
        self._names = {directory: names for directory, names in self._names.items() if directory in ("", *self._nodes)}

    def _fail(self, path: WorkspacePath) -> None:
        if path in self.faults:
            raise self.faults[path]


async def opened(folder: FaultyFolder, limits: ImportLimits | None = None) -> tuple[Session, Project]:
    session, project = await Session.create(memory_host()), Project(folder, limits=limits or ImportLimits())
    await project.take_over(session)
    return session, project


async def test_what_cannot_be_read_is_told_and_not_taken_for_deleted() -> None:
    folder = FaultyFolder()
    await put(folder, {"a": b"a", "d/b": b"b", "d/e/c": b"c", "z": b"z"})
    session, project = await opened(folder)
    await folder.write(at("a"), b"changed")
    folder.faults = {"a": StorageFailed("no"), "d": StorageFailed("no")}
    event = await project.take_over(session)
    assert event is not None
    assert [(each.reason, each.examples) for each in event.skipped] == [("unreadable", ("d", "a"))]
    assert sorted(session.workspace.tree) == ["a", "d", "d/b", "d/e", "d/e/c", "z"]
    assert await project.take_over(session) is None
    folder.faults = {}
    await project.take_over(session)
    assert await session.workspace.read(at("a")) == b"changed"
    assert session.workspace.skipped == ()


async def test_a_directory_that_vanishes_in_mid_scan_is_left_to_the_next_scan() -> None:
    folder = FaultyFolder()
    await put(folder, {"d/b": b"b", "z": b"z"})
    session, project = await opened(folder)
    folder.before_list["d"] = lambda: folder.drop("d")
    assert await project.take_over(session) is None
    await project.take_over(session)
    assert sorted(session.workspace.tree) == ["z"]


async def test_a_new_directory_that_vanishes_in_mid_scan_never_arrives() -> None:
    folder = FaultyFolder()
    await put(folder, {"d/b": b"b", "z": b"z"})
    folder.before_list["d"] = lambda: folder.drop("d")
    session, _ = await opened(folder)
    assert sorted(session.workspace.tree) == ["z"]
    assert session.workspace.skipped == ()


async def test_a_file_that_vanishes_before_it_is_read_is_not_called_unreadable() -> None:
    class Vanishing(FaultyFolder):
        async def read_many(self, paths: Sequence[WorkspacePath]) -> Sequence[bytes | None]:
            self.drop("a")
            return await super().read_many(paths)

    folder = Vanishing()
    await put(folder, {"a": b"a", "b": b"b"})
    session, _ = await opened(folder)
    assert sorted(session.workspace.tree) == ["b"]
    assert session.workspace.skipped == ()


async def test_a_folder_that_is_gone_is_an_error_and_deletes_nothing() -> None:
    folder = FaultyFolder()
    await put(folder, {"a": b"a", "d/b": b"b"})
    session, project = await opened(folder)
    await do(session, delete("a"))
    folder.faults = {"": PathMissing("There is nothing.")}
    for act in (project.take_over(session), project.commit(session)):
        with pytest.raises(PathMissing):
            await act
    assert sorted(session.workspace.tree) == ["d", "d/b"]
    assert session.workspace.changes().paths == ["a"]
    folder.faults = {}
    with pytest.raises(PathMissing, match="moved or removed"):
        await Project(Missing()).take_over(session)


class Missing(MemoryFolder):
    async def list(self, path: WorkspacePath) -> Sequence[FolderEntry]:
        raise PathMissing("There is nothing.")


async def test_a_file_that_grows_past_the_limit_while_it_is_read_is_left_out() -> None:
    class Growing(FaultyFolder):
        async def read_many(self, paths: Sequence[WorkspacePath]) -> Sequence[bytes | None]:
            await self.write(at("a"), b"x" * 100)
            return await super().read_many(paths)

    folder = Growing()
    await put(folder, {"a": b"a", "b": b"b"})
    session, _ = await opened(folder, ImportLimits(max_file_bytes=50))
    assert sorted(session.workspace.tree) == ["b"]
    assert [each.reason for each in session.workspace.skipped] == ["too_large"]


async def test_an_import_that_is_cancelled_changes_nothing() -> None:
    class Waiting(FaultyFolder):
        async def read_many(self, paths: Sequence[WorkspacePath]) -> Sequence[bytes | None]:
            await asyncio.Event().wait()
            return []

    folder = Waiting()
    await put(folder, {"a": b"a"})
    session, project = await Session.create(memory_host()), Project(folder)
    task = asyncio.create_task(project.take_over(session))
    for _ in range(5):
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert session.log.length == 0
    await do(session, write("b", b"b"))
    assert sorted(session.workspace.tree) == ["b"]


async def test_young_files_are_read_again_until_their_times_can_be_trusted() -> None:
    folder, clock = FaultyFolder(), StepClock(start=10**9)
    await put(folder, {str(number): b"x" for number in range(100)})
    session, project = await Session.create(replace(memory_host(), clock=clock)), Project(folder)
    await project.take_over(session)
    assert await project.take_over(session) is None
    assert folder.reads == 200
    clock._start += 1000
    event = await project.take_over(session)
    assert event is not None
    assert (event.changes, len(event.settled)) == ((), 100)
    assert await project.take_over(session) is None
    assert folder.reads == 300


async def test_that_a_few_files_are_young_no_more_is_told_with_the_next_change() -> None:
    folder, clock = FaultyFolder(), StepClock(start=10**9)
    await put(folder, {"a": b"a", "b": b"b"})
    session, project = await Session.create(replace(memory_host(), clock=clock)), Project(folder)
    await project.take_over(session)
    clock._start += 1000
    assert await project.take_over(session) is None
    await folder.write(at("c"), b"c")
    event = await project.take_over(session)
    assert event is not None
    assert [change.path for change in event.settled] == ["a", "b"]


async def test_a_young_file_that_changes_within_its_time_stamp_is_seen() -> None:
    folder = FaultyFolder()
    await put(folder, {"a": b"old"})
    session = await Session.create(replace(memory_host(), clock=StepClock(start=folder._mtime_ns / 10**9)))
    project = Project(folder)
    await project.take_over(session)
    folder._nodes[at("a")] = replace(folder._nodes[at("a")], data=b"new")
    await project.take_over(session)
    assert await session.workspace.read(at("a")) == b"new"


@pytest.mark.parametrize("data", [b"x" * (2**20 + 1), b"*.log\n" * 10_001])
async def test_an_ignore_file_that_is_too_long_is_told(data: bytes) -> None:
    folder = FaultyFolder()
    await put(folder, {"d/.gitignore": data, "d/a": b"a"})
    session, _ = await opened(folder)
    assert [(each.reason, each.examples) for each in session.workspace.skipped] == [("rules", ("d/.gitignore",))]


async def test_an_ignore_file_that_cannot_be_read_is_told() -> None:
    class Locked(FaultyFolder):
        async def read(self, path: WorkspacePath) -> bytes:
            raise StorageFailed("no")

    folder = Locked()
    await put(folder, {".gitignore": b"a", "a": b"a"})
    folder.faults = {".gitignore": StorageFailed("no")}
    session, _ = await opened(folder)
    assert [(each.reason, each.examples) for each in session.workspace.skipped] == [("unreadable", (".gitignore",))]


async def test_only_some_examples_of_many_left_out_are_kept() -> None:
    folder = FaultyFolder()
    await put(folder, {".gitignore": b"*.o", **{f"{number:04}.o": b"" for number in range(1000)}})
    session, _ = await opened(folder)
    [skipped] = session.workspace.skipped
    assert (skipped.count, len(skipped.examples)) == (1000, 5)


async def test_a_save_in_the_moment_of_a_commit_is_not_lost() -> None:
    folder = FaultyFolder()
    await put(folder, {"a": b"old"})
    session, project = await opened(folder)
    await do(session, write("a", b"session"), write("b", b"session"))
    folder.before_write = {"a": b"person", "b": b"person"}
    event = await project.commit(session)
    assert paths_of(event.conflicts) == ["a", "b"]
    assert await contents_of(folder) == {"a": b"person", "b": b"person"}


@pytest.mark.parametrize("error", [StorageFailed("Permission denied."), StorageFull("No room.")])
async def test_what_cannot_be_written_is_told_and_the_rest_is_written(error: StorageError) -> None:
    folder = FaultyFolder()
    await put(folder, {"a": b"old", "b": b"old"})
    session, project = await opened(folder)
    await do(session, write("a", b"new"), write("b", b"new"), write("c", b"new"))
    folder.faults = {"b": error}
    event = await project.commit(session)
    assert [(conflict.path, conflict.reason) for conflict in event.conflicts] == [("b", str(error))]
    assert [change.path for change in event.changes] == ["a", "c"]
    folder.faults = {}
    assert (await project.commit(session)).conflicts == ()
    assert await contents_of(folder) == {"a": b"new", "b": b"new", "c": b"new"}


async def test_nothing_is_removed_for_bytes_that_are_missing() -> None:
    folder = FaultyFolder()
    await put(folder, {"d/a": b"old"})
    session, project = await opened(folder)
    await do(session, delete("d"), write("d", b"file"))
    session.host.storage.blobs._blobs.clear()  # type: ignore[attr-defined]
    event = await project.commit(session)
    assert paths_of(event.conflicts) == ["d"]
    assert await contents_of(folder) == {"d": None}


async def test_a_large_file_in_the_way_is_not_read() -> None:
    class Unreadable(FaultyFolder):
        async def read(self, path: WorkspacePath) -> bytes:
            raise AssertionError(path)

    folder = Unreadable()
    session, project = await opened(folder)
    await do(session, write("a", b"session"))
    await folder.write(at("a"), b"x" * 100)
    assert paths_of((await project.commit(session)).conflicts) == ["a"]


async def test_a_pipe_where_a_file_was_is_named_once_and_never_replaced() -> None:
    folder = FaultyFolder()
    await put(folder, {"a": b"old", "d/b": b"b"})
    session, project = await opened(folder)
    for path in ("a", "d"):
        await remove_all(folder, at(path))
        folder._add(at(path), FolderEntry(path, "special"))
    event = await project.take_over(session)
    assert event is not None
    assert paths_of(event.conflicts) == ["a", "d"]
    assert sorted(session.workspace.tree) == ["a", "d", "d/b"]
    assert await project.take_over(session) is None
    await do(session, write("a", b"new"), write("new", b"n"))
    folder._add(at("new"), FolderEntry("new", "special"))
    assert paths_of((await project.commit(session)).conflicts) == ["a", "new"]
    assert [entry.kind for entry in await folder.list(ROOT)] == ["special"] * 3
