"""Importing more than is read at once."""

from collections.abc import Sequence

from py_agent.core.paths import WorkspacePath
from py_agent.hosts.memory import MemoryFolder, memory_host
from py_agent.run.project import Project
from py_agent.run.session import Session


class Watched(MemoryFolder):
    """Keeps what was asked for at once, and cannot read some files."""

    def __init__(self, *unreadable: str) -> None:
        super().__init__()
        self.asked: list[Sequence[WorkspacePath]] = []
        self._unreadable = unreadable

    async def read_many(self, paths: Sequence[WorkspacePath]) -> Sequence[bytes | None]:
        self.asked.append(paths)
        found = zip(paths, await super().read_many(paths), strict=True)
        return [None if path in self._unreadable else data for path, data in found]


async def test_every_file_of_a_large_folder_arrives_and_no_batch_is_too_large() -> None:
    folder = Watched()
    contents = {WorkspacePath(f"d{number % 7}/f{number}"): b"%d" % number for number in range(1200)}
    contents |= {WorkspacePath(f"large{number}"): bytes([number]) * 5 * 2**20 for number in range(3)}
    for path, data in contents.items():
        await folder.write(path, data)
    session = await Session.create(memory_host())
    await Project(folder).take_over(session)
    assert {path: await session.workspace.read(path) for path in contents} == contents
    assert sorted(path for paths in folder.asked for path in paths) == sorted(contents)
    assert max(len(paths) for paths in folder.asked) <= 512
    assert max(sum(len(contents[path]) for path in paths) for paths in folder.asked) <= 8 * 2**20


async def test_a_file_that_cannot_be_read_is_named_and_the_rest_arrives() -> None:
    folder = Watched("b")
    for name in "abc":
        await folder.write(WorkspacePath(name), name.encode())
    session = await Session.create(memory_host())
    event = await Project(folder).take_over(session)
    assert event is not None
    assert [(skipped.reason, skipped.examples) for skipped in event.skipped] == [("unreadable", ("b",))]
    assert sorted(session.workspace.tree) == ["a", "c"]
