"""A session with a folder: what is imported, what the session changes, and what a commit must leave behind."""

from py_agent.core.events import WorkspaceChanged, WorkspaceCommit
from py_agent.core.limits import ImportLimits
from py_agent.core.paths import WorkspacePath
from py_agent.core.trees import TreeEntry
from py_agent.hosts.memory import StepClock
from py_agent.ports.folder import Folder, FolderEntry
from py_agent.ports.host import Host
from py_agent.run.project import Project
from py_agent.run.session import Session
from py_agent.workspace.pace import Pace
from py_agent.workspace.reserved import reserved_paths
from py_agent.workspace.scan import scan_folder
from py_agent.workspace.transaction import hash_bytes
from py_agent.workspace.tree import Tree

OLD = {
    "change.txt": b"old",
    "gone.txt": b"to be deleted",
    "keep.txt": b"kept",
    "old/deep/er.txt": b"goes with its directories",
    "sub/change.txt": b"old here too",
}
_UNTIMED = {"mtime_ns": 0, "is_racy": False}
LONG = b"A line that is written.\n" * 1000
NEW = {
    "change.txt": LONG,
    "keep.txt": b"kept",
    "new/a.txt": b"one",
    "new/b/c.txt": LONG,
    "sub/change.txt": b"",
}
Entries = dict[WorkspacePath, TreeEntry]


async def fill(folder: Folder) -> None:
    for path, data in OLD.items():
        await folder.write(WorkspacePath(path), data)


async def begin(host: Host, folder: Folder, *, has_links: bool = False) -> str:
    """A session that took the folder over and changed what it holds; gives its id."""
    session = await Session.create(host)
    await Project(folder).take_over(session)
    async with session.workspace.transaction() as transaction:
        for path, data in NEW.items():
            transaction.write(WorkspacePath(path), data)
        transaction.delete(WorkspacePath("gone.txt"))
        transaction.delete(WorkspacePath("old"))
        transaction.make_dir(WorkspacePath("empty"))
        if has_links:
            transaction.link(WorkspacePath("new/link"), "../keep.txt")
        await session.append(WorkspaceChanged(origin="person", changes=tuple(await transaction.seal())))
    await session.close()
    return session.session_id


async def commit(host: Host, folder: Folder, session_id: str) -> WorkspaceCommit:
    session = await Session.open(host, session_id)
    try:
        return await Project(folder).commit(session)
    finally:
        await session.close()


async def entries(folder: Folder) -> Entries:
    """What an import would find in the folder now, times aside."""
    scan = await scan_folder(folder, ImportLimits(), reserved_paths(None), known=Tree(), pace=Pace(StepClock()))
    return {path: await _entry(folder, path, found) for path, found in scan.found.items()}


async def _entry(folder: Folder, path: WorkspacePath, found: FolderEntry) -> TreeEntry:
    assert found.kind != "special"
    if found.kind != "file":
        return TreeEntry(kind=found.kind, target=found.target)
    data = await folder.read(path)
    return TreeEntry(kind="file", sha256=hash_bytes(data), size=len(data), executable=bool(found.executable))


def check_between(found: Entries, before: Entries, after: Entries) -> None:
    """Each path holds what it held before or what it is to hold, and no other path is there."""
    for path in found.keys() | before.keys() | after.keys():
        assert found.get(path) in (before.get(path), after.get(path)), path


async def check_agreement(host: Host, folder: Folder, session_id: str) -> None:
    """The log and the folder say the same: nothing is left to commit or to take over."""
    session = await Session.open(host, session_id)
    assert not len(session.workspace.changes())
    assert not session.workspace.conflicts
    assert await Project(folder).take_over(session) is None
    base = {path: entry.model_copy(update=_UNTIMED) for path, entry in session.workspace.base.items()}
    await session.close()
    assert base == await entries(folder)
