"""Taking a real folder over into the workspace: at first all of it, later what changed there."""

import asyncio
from dataclasses import dataclass, field

from py_agent.core.changes import Change
from py_agent.core.events import Conflict, WorkspaceImport
from py_agent.core.limits import ImportLimits
from py_agent.core.paths import WorkspacePath
from py_agent.core.trees import DIRECTORY, TreeEntry, is_same_content
from py_agent.errors import PathMissing, StorageFailed
from py_agent.ports.folder import Folder, FolderEntry
from py_agent.ports.storage import Blobs
from py_agent.workspace.scan import IsReserved, Scan, scan_folder
from py_agent.workspace.transaction import hash_bytes
from py_agent.workspace.workspace import Workspace

# A file changed this shortly before it was read may change again within the same time stamp.
_RACY_NS = 2 * 10**9
_BATCH_BYTES = 8 * 2**20
_BATCH_FILES = 512


@dataclass(slots=True)
class _Import:
    workspace: Workspace
    folder: Folder
    blobs: Blobs
    scan: Scan
    changes: list[Change] = field(default_factory=list)
    settled: list[Change] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)
    batch: list[tuple[str, bytes]] = field(default_factory=list)
    batch_bytes: int = 0


async def import_folder(
    workspace: Workspace, folder: Folder, blobs: Blobs, *, limits: ImportLimits, is_reserved: IsReserved
) -> WorkspaceImport | None:
    """What changed in the folder since it was last read, for the log; None if nothing did.

    What is untouched in the workspace is taken over; what changed on both sides is a conflict."""
    work = _Import(workspace, folder, blobs, await scan_folder(folder, limits, is_reserved))
    for path, found in work.scan.found.items():
        await _look_at(work, path, found)
    for path, before in workspace.base.items():
        if path not in work.scan.found and await _is_gone(work, path):
            _take_over(work, path, before, None)
    await blobs.put_many(work.batch)
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


async def _look_at(work: _Import, path: WorkspacePath, found: FolderEntry) -> None:
    before = work.workspace.base.get(path)
    if before is not None and _is_surely_same(before, found):
        return
    try:
        entry = await _read_entry(work, path, found)
    except (PathMissing, StorageFailed):
        work.scan.skip("unreadable", path)
        return
    if before is None or not before.has_content_of(entry):
        _take_over(work, path, before, entry)
    elif before.mtime_ns != entry.mtime_ns:
        work.settled.append(Change(path=path, before=before, after=entry))


def _is_surely_same(before: TreeEntry, found: FolderEntry) -> bool:
    if before.kind != found.kind:
        return False
    if found.kind == "dir":
        return True
    if found.kind == "symlink":
        return before.target == found.target
    same = (before.size, before.mtime_ns, before.executable) == (found.size, found.mtime_ns, found.executable)
    return same and not before.is_racy


async def _read_entry(work: _Import, path: WorkspacePath, found: FolderEntry) -> TreeEntry:
    if found.kind == "dir":
        return DIRECTORY
    if found.kind == "symlink":
        return TreeEntry(kind="symlink", target=found.target, mtime_ns=found.mtime_ns)
    data = await work.folder.read(path)
    entry = file_entry(found, data, now_ns=work.workspace.now_ns())
    work.batch.append((entry.sha256 or "", data))
    work.batch_bytes += len(data)
    if work.batch_bytes >= _BATCH_BYTES or len(work.batch) >= _BATCH_FILES:
        await work.blobs.put_many(work.batch)
        work.batch, work.batch_bytes = [], 0
        await asyncio.sleep(0)
    return entry


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
