"""Taking a real folder over into the workspace: at first all of it, later what changed there."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field

from py_agent.core.changes import Change
from py_agent.core.events import Conflict, WorkspaceImport
from py_agent.core.limits import ImportLimits
from py_agent.core.paths import WorkspacePath
from py_agent.core.trees import DIRECTORY, TreeEntry, is_same_content
from py_agent.ports.folder import Folder, FolderEntry
from py_agent.ports.storage import Blobs
from py_agent.workspace.scan import IsReserved, Scan, scan_folder
from py_agent.workspace.transaction import hash_bytes
from py_agent.workspace.workspace import Workspace

# A file changed this shortly before it was read may change again within the same time stamp.
_RACY_NS = 2 * 10**9
_BATCH_BYTES = 8 * 2**20
_BATCH_FILES = 512
# So many files are hashed before others get their turn.
_TURN_FILES = 32
_Batch = dict[WorkspacePath, FolderEntry]


@dataclass(slots=True)
class _Import:
    workspace: Workspace
    folder: Folder
    blobs: Blobs
    scan: Scan
    changes: list[Change] = field(default_factory=list)
    settled: list[Change] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)


async def import_folder(
    workspace: Workspace, folder: Folder, blobs: Blobs, *, limits: ImportLimits, is_reserved: IsReserved
) -> WorkspaceImport | None:
    """What changed in the folder since it was last read, for the log; None if nothing did.

    What is untouched in the workspace is taken over; what changed on both sides is a conflict."""
    work = _Import(workspace, folder, blobs, await scan_folder(folder, limits, is_reserved))
    for batch in _batches(work):
        await _look_at(work, batch)
    for path, before in workspace.base.items():
        if path not in work.scan.found and await _is_gone(work, path):
            _take_over(work, path, before, None)
    known = {path: conflict.folder for path, conflict in workspace.conflicts.items()}
    conflicts = [conflict for conflict in work.conflicts if known.get(conflict.path, ...) != conflict.folder]
    is_first = not workspace.base and not workspace.tree
    if not (work.changes or work.settled or conflicts or (is_first and work.scan.skipped)):
        return None
    return WorkspaceImport(
        source=folder.label,
        changes=tuple(work.changes),
        settled=tuple(work.settled),
        conflicts=tuple(conflicts),
        skipped=work.scan.report(),
    )


def _batches(work: _Import) -> Iterator[_Batch]:
    """What may have changed since it was last read, as much at a time as memory should hold."""
    batch: _Batch = {}
    batch_bytes = 0
    for path, found in work.scan.found.items():
        if _is_surely_same(work.workspace.base.get(path), found):
            continue
        if batch and (batch_bytes + found.size > _BATCH_BYTES or len(batch) == _BATCH_FILES):
            yield batch
            batch, batch_bytes = {}, 0
        batch[path] = found
        batch_bytes += found.size
    if batch:
        yield batch


async def _look_at(work: _Import, batch: _Batch) -> None:
    """Read a batch, find out what became of each entry, and make the bytes durable."""
    now_ns = work.workspace.now_ns()
    paths = [path for path, found in batch.items() if found.kind == "file"]
    contents = dict(zip(paths, await work.folder.read_many(paths), strict=True))
    blobs: list[tuple[str, bytes]] = []
    for position, (path, found) in enumerate(batch.items(), start=1):
        data = contents.get(path)
        entry = _entry(found, data, now_ns=now_ns)
        if entry is None:
            work.scan.skip("unreadable", path)
            continue
        if entry.sha256 is not None and data is not None:
            blobs.append((entry.sha256, data))
        _compare(work, path, entry)
        if position % _TURN_FILES == 0:
            await asyncio.sleep(0)
    await work.blobs.put_many(blobs)


def _entry(found: FolderEntry, data: bytes | None, *, now_ns: int) -> TreeEntry | None:
    """What is there; None for a file that could not be read."""
    if found.kind == "dir":
        return DIRECTORY
    if found.kind == "symlink":
        return TreeEntry(kind="symlink", target=found.target, mtime_ns=found.mtime_ns)
    return None if data is None else file_entry(found, data, now_ns=now_ns)


def _compare(work: _Import, path: WorkspacePath, entry: TreeEntry) -> None:
    before = work.workspace.base.get(path)
    if before is None or not before.has_content_of(entry):
        _take_over(work, path, before, entry)
    elif before.mtime_ns != entry.mtime_ns:
        work.settled.append(Change(path=path, before=before, after=entry))


def _is_surely_same(before: TreeEntry | None, found: FolderEntry) -> bool:
    if before is None or before.kind != found.kind:
        return False
    if found.kind == "dir":
        return True
    if found.kind == "symlink":
        return before.target == found.target
    same = (before.size, before.mtime_ns, before.executable) == (found.size, found.mtime_ns, found.executable)
    return same and not before.is_racy


def file_entry(found: FolderEntry, data: bytes, *, now_ns: int) -> TreeEntry:
    return TreeEntry(
        kind="file",
        sha256=hash_bytes(data),
        size=len(data),
        mtime_ns=found.mtime_ns,
        executable=found.executable,
        is_racy=found.mtime_ns > now_ns - _RACY_NS,
    )


def _take_over(work: _Import, path: WorkspacePath, before: TreeEntry | None, after: TreeEntry | None) -> None:
    ours = work.workspace.tree.get(path)
    change = Change(path=path, before=before, after=after)
    if is_same_content(ours, after):
        work.settled.append(change)
    elif is_same_content(ours, before):
        work.changes.append(change)
    else:
        reason = "It was changed in the folder and in the session."
        work.conflicts.append(Conflict(path=path, reason=reason, folder=after))


async def _is_gone(work: _Import, path: WorkspacePath) -> bool:
    """Not found by the scan: gone from the folder, or only left out now by an ignore rule or a limit."""
    return await work.folder.stat(path) is None
