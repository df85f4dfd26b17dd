"""Merging what changed in the real folder into the workspace, where the session has changed other things."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from py_agent.core.changes import Change
from py_agent.core.events import Conflict
from py_agent.core.paths import WorkspacePath
from py_agent.core.trees import DIRECTORY, TreeEntry, is_same_content
from py_agent.workspace.pace import Pace
from py_agent.workspace.tree import Overlay, TreeView

_BOTH_CHANGED = "It was changed in the folder and in the session; choose which one to keep."
_NO_DIRECTORY = "The folder has new files in it, the session has made it no directory; choose which one to keep."
_STILL_NEEDED = "It is no directory any more in the folder, the session has files in it; choose which one to keep."


@dataclass(slots=True)
class Merge:
    """`changes` go into the workspace; `settled` ones only say what the folder holds now."""

    ours: Overlay
    changes: list[Change] = field(default_factory=list)
    settled: list[Change] = field(default_factory=list)
    conflicts: dict[WorkspacePath, Conflict] = field(default_factory=dict)
    above_conflicts: set[WorkspacePath] = field(default_factory=set)


async def merge(ours: TreeView, theirs: Iterable[Change], pace: Pace) -> Merge:
    """What to do about each change of the folder. Below a conflict nothing more is said.

    What is in a directory goes before the directory does, and comes after it."""
    work = Merge(Overlay(ours))
    ordered = sorted(theirs, key=lambda change: change.path)
    for change in reversed(ordered):
        if _ends_something(change):
            _settle(work, change)
        await pace.step()
    for change in ordered:
        if not _ends_something(change):
            _settle(work, change)
        await pace.step()
    return work


def _ends_something(change: Change) -> bool:
    """Whether a path, or a directory at it, is there no more."""
    before, after = change.before, change.after
    return after is None or (before is not None and before.kind == "dir" and after.kind != "dir")


def _settle(work: Merge, change: Change) -> None:
    path, after = change.path, change.after
    ours = work.ours.get(path)
    if any(above in work.conflicts for above in path.parents()):
        return
    if is_same_content(ours, after):
        work.settled.append(change)
    elif not is_same_content(ours, change.before):
        _refuse(work, path, _BOTH_CHANGED, after)
    elif after is None:
        _remove(work, change)
    else:
        _put(work, change, after)


def _remove(work: Merge, change: Change) -> None:
    """A directory in which the session has files of its own stays in the workspace."""
    if change.path in work.above_conflicts:
        return
    if work.ours.names(change.path):
        work.settled.append(change)
        return
    work.ours.drop(change.path)
    work.changes.append(change)


def _put(work: Merge, change: Change, after: TreeEntry) -> None:
    if after.kind != "dir" and work.ours.names(change.path):
        _refuse(work, change.path, _STILL_NEEDED, after)
        return
    missing: list[WorkspacePath] = []
    for directory in change.path.parents():
        entry = work.ours.get(directory)
        if entry is None:
            missing.append(directory)
        elif entry.kind != "dir":
            _refuse(work, directory, _NO_DIRECTORY, DIRECTORY)
            return
    for directory in missing:
        work.ours.put(directory, DIRECTORY)
        work.changes.append(Change(path=directory, after=DIRECTORY))
    work.ours.put(change.path, after)
    work.changes.append(change)


def _refuse(work: Merge, path: WorkspacePath, reason: str, folder: TreeEntry | None) -> None:
    work.conflicts[path] = Conflict(path=path, reason=reason, folder=folder)
    work.above_conflicts.update(path.parents())
