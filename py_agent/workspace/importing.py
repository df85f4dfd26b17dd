"""Taking a real folder over into the workspace: at first all of it, later what changed there."""

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from py_agent.core.changes import Change
from py_agent.core.events import Conflict, Skipped, WorkspaceImport
from py_agent.core.limits import ImportLimits
from py_agent.core.paths import WorkspacePath
from py_agent.core.trees import TreeEntry, is_same_content
from py_agent.errors import StorageError
from py_agent.ports.folder import Folder, FolderEntry
from py_agent.ports.storage import Blobs
from py_agent.workspace.entries import file_entry, is_surely_same, plain_entry
from py_agent.workspace.merging import Merge, merge
from py_agent.workspace.pace import Pace
from py_agent.workspace.scan import IsReserved, Scan, scan_folder
from py_agent.workspace.workspace import Workspace

_BATCH_BYTES = 8 * 2**20
_BATCH_FILES = 512
# That a few files are not racy any more is not worth an event: they are soon read again.
_MANY_RACY = 64
_LEFT_OUT = {
    "special": "It is a pipe, a socket or a device in the folder now",
    "name": "It leads to a name that is not Unicode in the folder now",
    "too_large": "It has grown in the folder past the limit for one file",
    "too_much": "It has grown in the folder past the limit for all files",
}


_Batch = dict[WorkspacePath, FolderEntry]


@dataclass(slots=True)
class _Import:
    """`theirs` is what changed in the folder, `refreshed` what only got another time."""

    workspace: Workspace
    blobs: Blobs
    scan: Scan
    pace: Pace
    theirs: list[Change] = field(default_factory=list)
    refreshed: list[Change] = field(default_factory=list)


async def import_folder(
    workspace: Workspace, folder: Folder, blobs: Blobs, *, limits: ImportLimits, is_reserved: IsReserved
) -> WorkspaceImport | None:
    """What changed in the folder since it was last read, for the log; None if nothing did.

    What is untouched in the workspace is taken over; what changed on both sides is a conflict."""
    pace = workspace.pace()
    scan = await scan_folder(folder, limits, is_reserved, known=workspace.base, pace=pace)
    work = _Import(workspace, blobs, scan, pace)
    async for batch in _batches(work):
        await _look_at(work, batch)
    for path in list(workspace.base):
        if scan.is_gone(path):
            work.theirs.append(Change(path=path, before=workspace.base[path]))
        await pace.step()
    return _event(work, await merge(workspace.tree, work.theirs, pace))


async def _batches(work: _Import) -> AsyncIterator[_Batch]:
    """What may have changed since it was last read, as much at a time as memory should hold."""
    batch: _Batch = {}
    batch_bytes = 0
    for path, found in work.scan.found.items():
        await work.pace.step()
        before = work.workspace.base.get(path)
        if before is not None and is_surely_same(before, found):
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
    contents = dict(zip(paths, await work.scan.folder.read_many(paths), strict=True))
    blobs: list[tuple[str, bytes]] = []
    for path, found in batch.items():
        before, data = work.workspace.base.get(path), contents.get(path)
        if found.kind != "file":
            _compare(work, path, before, plain_entry(found))
        elif data is None:
            await _note_unread(work, path)
        elif len(data) > max(found.size, work.scan.limits.max_file_bytes):
            work.scan.leave_out("too_large", path, found)
        else:
            entry = await file_entry(found, data, now_ns=now_ns, known=before)
            blobs.append((entry.sha256 or "", data))
            _compare(work, path, before, entry)
        await work.pace.step()
    await work.blobs.put_many(blobs)


async def _note_unread(work: _Import, path: WorkspacePath) -> None:
    """A file that is gone a moment after it was seen is left to the next scan; any other is named."""
    work.scan.unread.add(path)
    try:
        is_there = await work.scan.folder.stat(path) is not None
    except StorageError:
        is_there = True
    if is_there:
        work.scan.skip("unreadable", path)


def _compare(work: _Import, path: WorkspacePath, before: TreeEntry | None, entry: TreeEntry | None) -> None:
    change = Change(path=path, before=before, after=entry)
    if not is_same_content(before, entry):
        work.theirs.append(change)
    elif before != entry:
        work.refreshed.append(change)


def _event(work: _Import, merged: Merge) -> WorkspaceImport | None:
    workspace = work.workspace
    conflicts = {**merged.conflicts, **{conflict.path: conflict for conflict in _cannot_be_copied(work.scan)}}
    settled = list(merged.settled)
    if len(work.refreshed) > _MANY_RACY or merged.changes or any(map(_has_other_time, work.refreshed)):
        settled += work.refreshed
    touched = {change.path for change in (*merged.changes, *settled)}
    settled += [change for change in _over(work, conflicts) if change.path not in touched]
    named = [conflict for path, conflict in conflicts.items() if not _is_known(workspace.conflicts.get(path), conflict)]
    skipped = work.scan.report()
    if not (merged.changes or settled or named or _told(skipped) != _told(workspace.skipped)):
        return None
    return WorkspaceImport(
        source=work.scan.folder.label,
        changes=tuple(sorted(merged.changes, key=lambda change: change.path)),
        settled=tuple(sorted(settled, key=lambda change: change.path)),
        conflicts=tuple(sorted(named, key=lambda conflict: conflict.path)),
        skipped=skipped,
    )


def _has_other_time(change: Change) -> bool:
    before, after = change.before, change.after
    return before is not None and after is not None and before.mtime_ns != after.mtime_ns


def _cannot_be_copied(scan: Scan) -> Iterator[Conflict]:
    for path, (reason, found) in scan.left_out.items():
        text = f"{_LEFT_OUT.get(reason, 'It cannot be copied any more')}; the session keeps the copy that it has."
        yield Conflict(path=path, reason=text, folder=plain_entry(found))


def _over(work: _Import, conflicts: Mapping[WorkspacePath, Conflict]) -> Iterator[Change]:
    """Conflicts that are none any more: their paths are settled as they were."""
    for path in work.workspace.conflicts:
        if path not in conflicts and not work.scan.is_unread(path):
            entry = work.workspace.base.get(path)
            yield Change(path=path, before=entry, after=entry)


def _is_known(named: Conflict | None, conflict: Conflict) -> bool:
    return named is not None and named.reason == conflict.reason and is_same_content(named.folder, conflict.folder)


def _told(skipped: Sequence[Skipped]) -> list[Skipped]:
    """What the person is told of. What the folder's own rules leave out comes and goes with every build."""
    return [each for each in skipped if each.reason != "ignored"]
