"""A session's real folder: taken over at the start of each run, written to by commit alone."""

from collections.abc import Collection
from dataclasses import dataclass, field

from py_agent.core.events import WorkspaceCommit, WorkspaceImport
from py_agent.core.limits import ImportLimits
from py_agent.core.paths import WorkspacePath
from py_agent.errors import UsageError
from py_agent.ports.folder import Folder
from py_agent.run.session import Session
from py_agent.workspace.committing import choose, commit_changes
from py_agent.workspace.importing import import_folder
from py_agent.workspace.reserved import reserved_paths
from py_agent.workspace.settling import Side, settle_conflict


@dataclass(frozen=True, slots=True)
class Project:
    """`state_dir` is where the state directory lies in the folder, if it does."""

    folder: Folder
    state_dir: WorkspacePath | None = None
    limits: ImportLimits = field(default_factory=ImportLimits)

    async def take_over(self, session: Session) -> WorkspaceImport | None:
        """Scan the folder, and log what was taken over or is in conflict."""
        async with session.workspace.transaction():
            event = await import_folder(
                session.workspace,
                self.folder,
                session.host.storage.blobs,
                limits=self.limits,
                is_reserved=reserved_paths(self.state_dir),
            )
            if event is not None:
                await session.append(event)
        return event

    async def commit(self, session: Session, paths: Collection[WorkspacePath] | None = None) -> WorkspaceCommit:
        """Write the changes at or below `paths`, or all; conflicts are left and named."""
        async with session.workspace.transaction():
            event = await commit_changes(
                session.workspace,
                self.folder,
                session.host.storage.blobs,
                changes=choose(session.workspace, paths),
                is_reserved=reserved_paths(self.state_dir),
            )
            if event.changes or event.conflicts:
                await session.append(event)
        return event

    async def settle(self, session: Session, path: WorkspacePath, *, keep: Side) -> WorkspaceImport:
        """End a conflict: keep what the session has, which a commit then writes, or what the folder has."""
        if reserved_paths(self.state_dir)(path):
            raise UsageError(f"{path!r} is never copied or written to; there is nothing to settle.")
        async with session.workspace.transaction():
            event = await settle_conflict(
                session.workspace,
                self.folder,
                session.host.storage.blobs,
                path,
                keep=keep,
                limits=self.limits,
            )
            await session.append(event)
        return event
