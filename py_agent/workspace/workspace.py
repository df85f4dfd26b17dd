"""A session's workspace: the fold of its changes, over blobs that all sessions share."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

from py_agent.core.changes import Change, ChangeSet, compute_change_set
from py_agent.core.events import Conflict, Event, Skipped, WorkspaceChanged, WorkspaceCommit, WorkspaceImport
from py_agent.core.paths import WorkspacePath
from py_agent.core.trees import TreeEntry, is_same_content
from py_agent.ports.clock import Clock
from py_agent.ports.storage import Blobs
from py_agent.workspace.files import Files
from py_agent.workspace.pace import Pace
from py_agent.workspace.transaction import Transaction
from py_agent.workspace.tree import Tree


class Workspace(Files):
    """`tree` is the workspace now; `base` is the real folder as it was last read or written."""

    def __init__(self, blobs: Blobs, clock: Clock) -> None:
        self.tree = Tree()
        super().__init__(self.tree, blobs, clock)
        self.base = Tree()
        self.conflicts: dict[WorkspacePath, Conflict] = {}
        self.skipped: tuple[Skipped, ...] = ()
        self._differing: set[WorkspacePath] = set()
        self._turn = asyncio.Lock()

    def add(self, event: Event) -> None:
        """Fold one event in. Changes kept as a blob must have been put back in place by then."""
        match event:
            case WorkspaceChanged():
                self.tree.apply(event.changes)
                self._compare(event.changes)
            case WorkspaceImport():
                self.tree.apply(event.changes)
                self._rebase(event.changes)
                self._rebase(event.settled)
                self.conflicts.update({conflict.path: conflict for conflict in event.conflicts})
                self.skipped = event.skipped
            case WorkspaceCommit():
                self._rebase(event.changes)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Transaction]:
        """The one transaction at a time: others wait. What becomes of its changes is the caller's to say."""
        async with self._turn:
            yield Transaction(self.tree, self._blobs, self._clock)

    def pace(self) -> Pace:
        return Pace(self._clock)

    def changes(self) -> ChangeSet:
        """What a commit of everything would write to the folder."""
        return compute_change_set(self.base, self.tree, self._differing)

    def snapshot(self) -> dict[WorkspacePath, TreeEntry]:
        return dict(self.tree)

    def _rebase(self, changes: Iterable[Change]) -> None:
        """What the folder holds now; a conflict that was there is over."""
        self.base.apply(changes)
        self._compare(changes)
        if self.conflicts:
            for change in changes:
                self.conflicts.pop(change.path, None)

    def _compare(self, changes: Iterable[Change]) -> None:
        for path in (change.path for change in changes):
            if is_same_content(self.base.get(path), self.tree.get(path)):
                self._differing.discard(path)
            else:
                self._differing.add(path)
