"""A session's workspace: the fold of its changes, over blobs that all sessions share."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from py_agent.core.changes import ChangeSet, compute_change_set
from py_agent.core.events import Conflict, Event, WorkspaceChanged, WorkspaceCommit, WorkspaceImport
from py_agent.core.paths import WorkspacePath
from py_agent.core.trees import TreeEntry
from py_agent.ports.clock import Clock
from py_agent.ports.storage import Blobs
from py_agent.workspace.files import Files
from py_agent.workspace.transaction import Transaction
from py_agent.workspace.tree import Tree


class Workspace(Files):
    """`tree` is the workspace now; `base` is the real folder as it was last read or written."""

    def __init__(self, blobs: Blobs, clock: Clock) -> None:
        self.tree = Tree()
        super().__init__(self.tree, blobs)
        self.base = Tree()
        self.conflicts: dict[WorkspacePath, Conflict] = {}
        self._clock = clock
        self._turn = asyncio.Lock()

    def add(self, event: Event) -> None:
        """Fold one event in. Changes kept as a blob must have been put back in place by then."""
        match event:
            case WorkspaceChanged():
                self.tree.apply(event.changes)
            case WorkspaceImport():
                self.tree.apply(event.changes)
                for change in (*event.changes, *event.settled):
                    self.base.apply([change])
                    self.conflicts.pop(change.path, None)
                self.conflicts.update({conflict.path: conflict for conflict in event.conflicts})
            case WorkspaceCommit():
                for change in event.changes:
                    self.base.apply([change])
                    self.conflicts.pop(change.path, None)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Transaction]:
        """The one transaction at a time: others wait. What becomes of its changes is the caller's to say."""
        async with self._turn:
            yield Transaction(self.tree, self._blobs, self._clock)

    def now_ns(self) -> int:
        return int(self._clock.now() * 1e9)

    def changes(self) -> ChangeSet:
        """What a commit of everything would write to the folder."""
        return compute_change_set(self.base, self.tree)

    def snapshot(self) -> dict[WorkspacePath, TreeEntry]:
        return dict(self.tree)
