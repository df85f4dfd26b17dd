"""Writing chosen changes back to the real folder: whole files, never over what the person changed there."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from py_agent.core.changes import Change
from py_agent.core.events import Conflict, WorkspaceCommit
from py_agent.core.paths import WorkspacePath
from py_agent.core.trees import TreeEntry, is_same_content
from py_agent.errors import PathMissing, UsageError, WorkspaceError
from py_agent.ports.folder import Folder
from py_agent.ports.storage import Blobs
from py_agent.workspace.importing import file_entry
from py_agent.workspace.scan import IsReserved
from py_agent.workspace.workspace import Workspace


@dataclass(slots=True)
class _Commit:
    workspace: Workspace
    folder: Folder
    blobs: Blobs
    is_reserved: IsReserved
    written: list[Change] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)


def choose(workspace: Workspace, paths: Collection[WorkspacePath] | None) -> list[Change]:
    """The changes at or below the given paths, or all of them; new directories come with what is in them."""
    changes = list(workspace.changes())
    if paths is None:
        return changes
    chosen = [change for change in changes if any(change.path == path or change.path.is_below(path) for path in paths)]
    for path in paths:
        if not any(change.path == path or change.path.is_below(path) for change in chosen):
            raise UsageError(f"{path!r} has no change to commit; `py-agent changes` lists those there are.")
    needed = {parent for change in chosen if change.after is not None for parent in change.path.parents()}
    return [change for change in changes if change in chosen or (change.kind == "add" and change.path in needed)]


async def commit_changes(
    workspace: Workspace, folder: Folder, blobs: Blobs, *, changes: Sequence[Change], is_reserved: IsReserved
) -> WorkspaceCommit:
    """Write each change that meets no conflict. What an earlier commit that was cut off has written already
    counts as written, so a commit can simply be repeated."""
    work = _Commit(workspace, folder, blobs, is_reserved)
    removals = [change for change in changes if change.after is None]
    for change in [*reversed(removals), *(change for change in changes if change.after is not None)]:
        await _settle(work, change)
    written = sorted(work.written, key=lambda change: change.path)
    return WorkspaceCommit(target=folder.label, changes=tuple(written), conflicts=tuple(work.conflicts))


async def _settle(work: _Commit, change: Change) -> None:
    if work.is_reserved(change.path):
        work.conflicts.append(Conflict(path=change.path, reason="This path is never written to."))
        return
    try:
        there = await read_folder_entry(work.folder, change.path, now_ns=work.workspace.now_ns())
        if is_same_content(there, change.after):
            work.written.append(Change(path=change.path, before=change.before, after=there))
        elif not is_same_content(there, change.before):
            work.conflicts.append(_conflict(change, there))
        else:
            after = await _write(work, change.path, change.after)
            work.written.append(Change(path=change.path, before=change.before, after=after))
    except WorkspaceError as error:
        work.conflicts.append(Conflict(path=change.path, reason=str(error)))


async def _write(work: _Commit, path: WorkspacePath, after: TreeEntry | None) -> TreeEntry | None:
    if after is None:
        await work.folder.remove(path)
    elif after.kind == "dir":
        await work.folder.make_dir(path)
    elif after.kind == "symlink":
        await work.folder.link(path, after.target or "")
    else:
        data = await work.blobs.get(after.sha256 or "")
        mtime_ns = await work.folder.write(path, data, executable=after.executable)
        return after.model_copy(update={"mtime_ns": mtime_ns, "is_racy": True})
    return after


async def read_folder_entry(folder: Folder, path: WorkspacePath, *, now_ns: int) -> TreeEntry | None:
    """What is at a path of the folder now."""
    found = await folder.stat(path)
    match found:
        case None:
            return None
        case _ if found.kind == "file":
            return file_entry(found, await folder.read(path), now_ns=now_ns)
        case _ if found.kind == "special":
            raise PathMissing(f"{path!r} in the folder is no regular file.")
    return TreeEntry(kind=found.kind, target=found.target, mtime_ns=found.mtime_ns)


def _conflict(change: Change, there: TreeEntry | None) -> Conflict:
    if change.before is None:
        reason = "It exists in the folder but was not imported."
    elif there is None:
        reason = "It was deleted in the folder after it was imported."
    else:
        reason = "It was changed in the folder after it was imported."
    return Conflict(path=change.path, reason=reason, folder=there)
