"""Settling a conflict: the person says which side to keep."""

from typing import Literal

from py_agent.core.changes import Change
from py_agent.core.events import WorkspaceImport
from py_agent.core.limits import ImportLimits
from py_agent.core.paths import WorkspacePath
from py_agent.core.trees import DIRECTORY, TreeEntry
from py_agent.errors import UsageError
from py_agent.ports.folder import Folder
from py_agent.ports.storage import Blobs
from py_agent.workspace.entries import file_entry, plain_entry
from py_agent.workspace.tree import Overlay
from py_agent.workspace.workspace import Workspace

Side = Literal["session", "folder"]


async def settle_conflict(
    workspace: Workspace, folder: Folder, blobs: Blobs, path: WorkspacePath, *, keep: Side, limits: ImportLimits
) -> WorkspaceImport:
    """Either the workspace takes what the folder has, or the folder's counts as known, so that the session's
    can be committed over it."""
    there = await _read(workspace, folder, blobs, path, limits=limits)
    settled = Change(path=path, before=workspace.base.get(path), after=there)
    changes = _taken_over(workspace, path, there) if keep == "folder" else []
    return WorkspaceImport(source=folder.label, changes=tuple(changes), settled=(settled,))


async def _read(
    workspace: Workspace, folder: Folder, blobs: Blobs, path: WorkspacePath, *, limits: ImportLimits
) -> TreeEntry | None:
    found = await folder.stat(path)
    if found is None:
        return None
    if found.kind == "special" or found.size > limits.max_file_bytes:
        raise UsageError(f"{path!r} in the folder cannot be copied; move it away, then commit or run again.")
    if found.kind != "file":
        return plain_entry(found)
    data = await folder.read(path)
    entry = await file_entry(found, data, now_ns=workspace.now_ns(), known=workspace.base.get(path))
    await blobs.put_many([(entry.sha256 or "", data)])
    return entry


def _taken_over(workspace: Workspace, path: WorkspacePath, there: TreeEntry | None) -> list[Change]:
    """The changes that make the workspace the folder's copy at a path. What is new in a directory there
    comes with the next scan."""
    overlay = Overlay(workspace.tree)
    for directory in path.parents():
        if directory in overlay and overlay[directory].kind != "dir":
            raise UsageError(f"The session has made {directory!r} no directory; settle that first.")
        if there is not None:
            overlay.put(directory, DIRECTORY)
    for below in [*overlay.below(path), path]:
        overlay.drop(below)
    if there is not None:
        overlay.put(path, there)
        for below in workspace.base.below(path) if there.kind == "dir" else ():
            overlay.put(below, workspace.base[below])
    return overlay.changes()
