"""The façade: sessions over a host, each with its model, tools, permissions and folder."""

from collections.abc import AsyncGenerator, Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from py_agent.core.changes import Change, ChangeSet
from py_agent.core.events import Event, WorkspaceCommit, WorkspaceImport
from py_agent.core.limits import RunLimits
from py_agent.core.messages import Message
from py_agent.core.paths import WorkspacePath
from py_agent.errors import UsageError
from py_agent.log.store import SessionStore
from py_agent.log.transfer import export_session, import_session, repair_session
from py_agent.policy.gate import PolicyGate
from py_agent.policy.modes import Mode
from py_agent.ports.gate import Approver
from py_agent.ports.host import Host
from py_agent.providers.demo import DemoModel
from py_agent.providers.model import Model
from py_agent.run.loop import Agent, Loop
from py_agent.run.project import Project
from py_agent.run.session import Session
from py_agent.tools.registry import Registry, default_registry
from py_agent.workspace.committing import choose
from py_agent.workspace.diff import Hunk, change_hunks
from py_agent.workspace.settling import Side
from py_agent.workspace.workspace import Workspace


@dataclass(frozen=True, slots=True)
class AgentOptions:
    """How the sessions of a client work."""

    model: Model = field(default_factory=DemoModel)
    tools: Registry = field(default_factory=default_registry)
    permission_mode: Mode = "default"
    approver: Approver | None = None
    limits: RunLimits = field(default_factory=RunLimits)
    instructions: str = ""


class AgentSession:
    """An open session: talk to it, look at its files, commit them."""

    def __init__(self, session: Session, options: AgentOptions, project: Project | None) -> None:
        self._session = session
        self._project = project
        gate = PolicyGate(
            options.permission_mode,
            approver=options.approver,
            record=session.append,
            ids=session.host.ids,
        )
        agent = Agent(options.model, options.tools, gate, options.limits, options.instructions, project)
        self._loop = Loop(session, agent)

    @property
    def session_id(self) -> str:
        return self._session.session_id

    @property
    def workspace(self) -> Workspace:
        return self._session.workspace

    @property
    def messages(self) -> list[Message]:
        """The conversation so far, as the next request would carry it."""
        return self._session.transcript.messages

    @property
    def is_unfinished(self) -> bool:
        """Whether a run was cut off that `resume` would go on with."""
        return self._session.state.run is not None

    @property
    def recovered(self) -> Event | None:
        """The event that tells of a torn line, if opening the session cut one off."""
        return self._session.log.recovered

    def stream(self, text: str, images: Sequence[bytes] = ()) -> AsyncGenerator[Event, None]:
        """Run towards what the person says; `images` are the bytes of pictures beside their words."""
        return self._loop.run(text, images)

    def resume(self) -> AsyncGenerator[Event, None]:
        return self._loop.resume()

    def cancel(self) -> None:
        self._loop.cancel()

    def changes(self) -> ChangeSet:
        return self._session.workspace.changes()

    async def take_over(self) -> None:
        """Take over what changed in the folder, as the start of a run does."""
        if self._project is not None:
            await self._project.take_over(self._session)

    @property
    def title(self) -> str:
        return self._session.state.title

    def choose(self, paths: Collection[WorkspacePath] | None = None) -> list[Change]:
        """The changes that a commit of these paths, or of all, would write."""
        return choose(self._session.workspace, paths)

    async def hunks(self, change: Change) -> list[Hunk] | None:
        """A change as hunks of lines; None if it is no text or too long."""
        return await change_hunks(self._session.host.storage.blobs, change)

    async def commit(self, paths: Collection[WorkspacePath] | None = None) -> WorkspaceCommit:
        if self._project is None:
            raise UsageError("This session has no folder to commit to.")
        return await self._project.commit(self._session, paths)

    async def settle(self, path: WorkspacePath, *, keep: Side) -> WorkspaceImport:
        """End a conflict: keep what the session has, which a commit then writes, or what the folder has."""
        if self._project is None:
            raise UsageError("This session has no folder that it could be in conflict with.")
        return await self._project.settle(self._session, path, keep=keep)

    async def history(self) -> AsyncGenerator[Event, None]:
        async for events in self._session.log.read():
            for event in events:
                yield event

    async def close(self) -> None:
        await self._session.close()

    async def __aenter__(self) -> "AgentSession":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


class AgentClient:
    """Sessions of one state directory. Without a host: those of the current folder on this machine."""

    def __init__(
        self, host: Host | None = None, options: AgentOptions | None = None, project: Project | None = None
    ) -> None:
        if host is None:
            host, here = _local(Path(), None)
            project = project or here
        self._host = host
        self._options = options or AgentOptions()
        self._project = project
        self.sessions = SessionStore(host)

    @classmethod
    def in_folder(cls, root: Path, options: AgentOptions | None = None, *, state_dir: Path | None = None) -> Self:
        """A client over a folder of this machine; its state is kept in `.py-agent/state` there, or in `state_dir`."""
        host, project = _local(root, state_dir)
        return cls(host, options, project)

    async def open(
        self, session_id: str | None = None, *, metadata: dict[str, Any] | None = None, to_read: bool = False
    ) -> AgentSession:
        """Open a session, or make a new one."""
        if session_id is None:
            label = {"project": self._project.folder.label} if self._project else {}
            session_id = await self.sessions.create({**label, **(metadata or {})})
        session = await Session.open(self._host, session_id, to_read=to_read)
        return AgentSession(session, self._options, self._project)

    async def newest(self) -> str | None:
        """The id of the session made last, those left out whose `meta.json` cannot be read."""
        metas = await self.sessions.metas()
        return max(metas, key=lambda meta: (meta.created_at, meta.session_id)).session_id if metas else None

    async def export_session(self, session_id: str) -> bytes:
        """A zip of the session's log and of every blob that it names."""
        return await export_session(self._host, session_id)

    async def import_session(self, data: bytes) -> str:
        """Take in an exported session, or a bare `events.jsonl`; gives its id."""
        return await import_session(self._host, data)

    async def repair_session(self, session_id: str) -> tuple[str, list[int]]:
        """Salvage a damaged session into a new one; gives its id and the numbers of the lost lines."""
        return await repair_session(self._host, session_id)


def _local(root: Path, state_dir: Path | None) -> tuple[Host, Project]:
    # Loaded only where it is used: a browser has no such host.
    from py_agent.hosts.cpython import LocalFolder, cpython_host

    if not root.is_dir():
        raise UsageError(f"{root} is not a directory; name the project's folder.")
    root = root.resolve()
    state = (state_dir or root / ".py-agent" / "state").resolve()
    if state == root:
        raise UsageError("The state directory cannot be the project's folder itself; choose another.")
    inside = WorkspacePath(state.relative_to(root).as_posix()) if state.is_relative_to(root) else None
    return cpython_host(state), Project(LocalFolder(root), inside)
