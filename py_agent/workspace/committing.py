"""Writing chosen changes back to the real folder: whole files, never over what the person changed there."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from py_agent.core.changes import Change
from py_agent.core.events import Conflict, WorkspaceCommit
from py_agent.core.paths import ROOT, WorkspacePath
from py_agent.core.trees import TreeEntry, is_same_content
from py_agent.errors import InvalidPath, StorageError, UsageError, WorkspaceError, WrongKind
from py_agent.ports.folder import Folder, FolderEntry
from py_agent.ports.storage import Blobs
from py_agent.workspace.entries import file_entry, plain_entry
from py_agent.workspace.links import leads_out
from py_agent.workspace.scan import IsReserved
from py_agent.workspace.workspace import Workspace

_RESERVED = "It belongs to git or to py_agent and is never written to."
_OTHER_SPELLING = "The folder takes it for a file whose name differs only in case or accents; give it another name."
_NOT_MOVED = "Its bytes could not be written to where the session moved them, so they stay here, too."
_NOT_IMPORTED = "It exists in the folder but was not imported; move it away, or leave this change out."
_DELETED = "It was deleted in the folder after it was imported; choose which one to keep."
_CHANGED = "It was changed in the folder after it was imported; choose which one to keep."


@dataclass(slots=True)
class _Commit:
    """`names` are those of directories that were looked into; `misspelt` changes wait for others to be removed.
    `unwritten` are the hashes of files that were in conflict."""

    workspace: Workspace
    folder: Folder
    blobs: Blobs
    is_reserved: IsReserved
    names: dict[WorkspacePath, set[str]] = field(default_factory=dict)
    misspelt: dict[WorkspacePath, Change] = field(default_factory=dict)
    unwritten: set[str] = field(default_factory=set)
    written: list[Change] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)


def choose(workspace: Workspace, paths: Collection[WorkspacePath] | None) -> list[Change]:
    """The changes at or below the given paths, or all of them; new directories come with what is in them."""
    changes = list(workspace.changes())
    if paths is None:
        return changes
    wanted, met, chosen = set(paths), set[WorkspacePath](), set[WorkspacePath]()
    for change in changes:
        if above := wanted.intersection((ROOT, *change.path.parents(), change.path)):
            met |= above
            chosen.add(change.path)
            if change.after is not None:
                chosen.update(change.path.parents())
    for path in paths:
        if path not in met:
            raise UsageError(f"{path or '.'!r} has no change to commit; `py-agent changes` lists those there are.")
    return [change for change in changes if change.path in chosen]


async def commit_changes(
    workspace: Workspace, folder: Folder, blobs: Blobs, *, changes: Sequence[Change], is_reserved: IsReserved
) -> WorkspaceCommit:
    """Write each change that meets no conflict. What an earlier commit that was cut off has written already
    counts as written, so a commit can simply be repeated."""
    work = _Commit(workspace, folder, blobs, is_reserved)
    work.names[ROOT] = {entry.name for entry in await folder.list(ROOT)}
    pace = workspace.pace()
    for change in _in_order(changes):
        await _settle(work, change)
        await pace.step()
    waiting, work.misspelt = list(work.misspelt.values()), {}
    for change in waiting:
        await _settle(work, change)
    for change in work.misspelt.values():
        _refuse(work, change, _OTHER_SPELLING)
    written = sorted(work.written, key=lambda change: change.path)
    conflicts = sorted(work.conflicts, key=lambda conflict: conflict.path)
    return WorkspaceCommit(target=folder.label, changes=tuple(written), conflicts=tuple(conflicts))


def _in_order(changes: Iterable[Change]) -> list[Change]:
    """What moved is written before it is removed; what takes the place of a directory comes when that is empty."""
    removals, replacements, writes = [], [], []
    for change in sorted(changes, key=lambda change: change.path):
        if change.after is None:
            removals.append(change)
        elif change.before is not None and change.before.kind == "dir":
            replacements.append(change)
        else:
            writes.append(change)
    return [*writes, *reversed(removals), *replacements]


async def _settle(work: _Commit, change: Change) -> None:
    path = change.path
    if work.is_reserved(path):
        _refuse(work, change, _RESERVED)
        return
    if change.after is None and change.before is not None and change.before.sha256 in work.unwritten:
        _refuse(work, change, _NOT_MOVED)
        return
    try:
        found = await work.folder.stat(path)
        if change.kind != "modify" and await _is_misspelt(work, path, found):
            if change.kind == "add":
                work.misspelt[path] = change
                return
            found = None
        await _write_if_free(work, change, found)
    except (WorkspaceError, StorageError) as error:
        _refuse(work, change, str(error))


def _refuse(work: _Commit, change: Change, reason: str, there: TreeEntry | None = None) -> None:
    work.conflicts.append(Conflict(path=change.path, reason=reason, folder=there))
    if change.after is not None and change.after.sha256 is not None and change.after.size > 0:
        work.unwritten.add(change.after.sha256)


async def _is_misspelt(work: _Commit, path: WorkspacePath, found: FolderEntry | None) -> bool:
    """Whether the folder takes this path for that of another file: some do not tell all spellings of a name apart."""
    if any(above in work.misspelt for above in path.parents()):
        return True
    if found is None:
        return False
    if path.parent not in work.names:
        work.names[path.parent] = {entry.name for entry in await work.folder.list(path.parent)}
    return path.name not in work.names[path.parent]


async def _write_if_free(work: _Commit, change: Change, found: FolderEntry | None) -> None:
    there, data = await _read_there(work, change, found)
    if is_same_content(there, change.after):
        after = there
    elif is_same_content(there, change.before) or (there is None and _is_cut_off(change)):
        after = await _write(work, change, found)
    else:
        if there is not None and there.sha256 is not None:
            await work.blobs.put_many([(there.sha256, data)])
        reason = _NOT_IMPORTED if change.before is None else _DELETED if there is None else _CHANGED
        _refuse(work, change, reason, there)
        return
    work.written.append(Change(path=change.path, before=change.before, after=after))


def _is_cut_off(change: Change) -> bool:
    """Whether an earlier commit may have removed the old and not yet written the new: a file cannot take a
    directory's place at one stroke, nor the reverse."""
    before, after = change.before, change.after
    return before is not None and after is not None and (before.kind == "dir") != (after.kind == "dir")


async def _read_there(work: _Commit, change: Change, found: FolderEntry | None) -> tuple[TreeEntry | None, bytes]:
    """What is at a path of the folder now. A file is read only if its size leaves a doubt."""
    if found is None:
        return None, b""
    if found.kind == "special":
        raise WrongKind(f"{change.path!r} in the folder is no regular file; move it away first.")
    files = [side for side in (change.after, change.before) if side is not None and side.kind == "file"]
    if found.kind != "file" or found.size not in [side.size for side in files]:
        return plain_entry(found), b""
    data = await work.folder.read(change.path)
    entry = await file_entry(found, data, now_ns=work.workspace.now_ns(), known=None)
    for side in files:
        if found.executable is None and side.sha256 == entry.sha256:
            return entry.model_copy(update={"executable": side.executable}), data
    return entry, data


async def _write(work: _Commit, change: Change, found: FolderEntry | None) -> TreeEntry | None:
    path, after, folder = change.path, change.after, work.folder
    if after is None:
        await folder.remove(path, seen=found)
        work.names[path.parent].discard(path.name)
        return None
    if after.kind == "symlink" and leads_out(path, after.target or ""):
        raise InvalidPath(f"The symlink leads out of the folder, to {after.target!r}; make it yourself if you want it.")
    data = await work.blobs.get(after.sha256) if after.sha256 is not None else b""
    if found is not None and (found.kind == "dir") != (after.kind == "dir"):
        await folder.remove(path, seen=found)
        found = None
    if after.kind == "dir":
        await folder.make_dir(path)
    elif after.kind == "symlink":
        await folder.link(path, after.target or "", seen=found)
    else:
        mtime_ns = await folder.write(path, data, executable=after.executable, seen=found)
        after = after.model_copy(update={"mtime_ns": mtime_ns, "is_racy": True})
    work.names.get(path.parent, set()).add(path.name)
    return after
