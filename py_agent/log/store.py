"""The sessions of a state directory: `sessions/<id>/events.jsonl` and `meta.json`."""

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from py_agent.core.ids import check_session_id, is_id
from py_agent.errors import BadFile, SessionNotFound, StorageMissing
from py_agent.log.log import EventLog
from py_agent.ports.host import Host
from py_agent.ports.lock import Lock


class SessionMeta(BaseModel):
    model_config = ConfigDict(frozen=True, extra="allow")

    session_id: str
    created_at: float
    metadata: dict[str, Any] = Field(default_factory=dict)


@dataclass(slots=True)
class OpenSessionLog:
    """A log, with the lock that makes us its only writer if it was opened to write."""

    log: EventLog
    meta: SessionMeta
    lock: Lock | None = field(default=None, repr=False)

    async def close(self) -> None:
        await self.log.close()
        if self.lock is not None:
            await self.lock.release()


class SessionStore:
    def __init__(self, host: Host) -> None:
        self._host = host

    async def create(self, metadata: dict[str, Any] | None = None, *, session_id: str | None = None) -> str:
        """Make an empty session and give its id."""
        meta = SessionMeta(
            session_id=session_id or self._host.ids.new(),
            created_at=self._host.clock.now(),
            metadata=metadata or {},
        )
        await self.write_meta(meta)
        return meta.session_id

    async def write_meta(self, meta: SessionMeta) -> None:
        text = json.dumps(meta.model_dump(), indent=2, ensure_ascii=False) + "\n"
        await self._host.storage.write(f"{directory(meta.session_id)}/meta.json", text.encode())

    async def read_meta(self, session_id: str) -> SessionMeta:
        try:
            data = await self._host.storage.read(f"{directory(session_id)}/meta.json")
        except StorageMissing as error:
            raise SessionNotFound(
                f"There is no session {session_id}; `py-agent sessions list` shows those there are."
            ) from error
        try:
            return SessionMeta.model_validate_json(data)
        except ValidationError as error:
            raise BadFile(
                f"The meta.json of session {session_id} cannot be read; "
                f"`py-agent sessions repair {session_id}` makes a new session from its log."
            ) from error

    async def list(self) -> list[str]:
        """Ids of all sessions, in no order of meaning. Without `meta.json` a session never came to be."""
        storage = self._host.storage
        found = [name for name in await storage.list("sessions") if is_id(name)]
        return [name for name in found if "meta.json" in await storage.list(directory(name))]

    async def metas(self) -> Sequence[SessionMeta]:
        """What is known of each session whose `meta.json` can be read."""
        found = []
        for session_id in await self.list():
            with suppress(BadFile, SessionNotFound):
                found.append(await self.read_meta(session_id))
        return found

    async def exists(self, session_id: str) -> bool:
        return session_id in await self.list()

    async def open(self, session_id: str) -> OpenSessionLog:
        """Open to write: takes the session's lock, and cuts off a torn last line."""
        meta = await self.read_meta(session_id)
        lock = await self._host.locks.acquire(directory(session_id))
        try:
            file = await self._host.storage.open(log_path(session_id))
            try:
                log = await EventLog.open(session_id, file, self._host.clock)
            except BaseException:
                await file.close()
                raise
        except BaseException:
            await lock.release()
            raise
        return OpenSessionLog(log, meta, lock)

    async def open_to_read(self, session_id: str) -> OpenSessionLog:
        """Open without a lock and without changing a byte, also while another process writes."""
        meta = await self.read_meta(session_id)
        file = await self._host.storage.open(log_path(session_id))
        try:
            log = await EventLog.open_to_read(session_id, file, self._host.clock)
        except BaseException:
            await file.close()
            raise
        return OpenSessionLog(log, meta)

    async def delete(self, session_id: str) -> None:
        await self.read_meta(session_id)
        lock = await self._host.locks.acquire(directory(session_id))
        try:
            # Without it the session is gone, however far the rest comes.
            await self._host.storage.remove(f"{directory(session_id)}/meta.json")
            await self._host.storage.remove(directory(session_id))
        finally:
            await lock.release()


def directory(session_id: str) -> str:
    return f"sessions/{check_session_id(session_id)}"


def log_path(session_id: str) -> str:
    return f"{directory(session_id)}/events.jsonl"
