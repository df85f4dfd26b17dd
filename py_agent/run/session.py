"""An open session: its log, and what is computed from it."""

import json
import re
from collections.abc import Iterator
from typing import Any, Self

from py_agent.core.changes import Change
from py_agent.core.events import BaseEvent, Event, WorkspaceChanged, WorkspaceCommit, WorkspaceImport
from py_agent.core.messages import Image
from py_agent.core.trees import BlobRef
from py_agent.errors import UsageError
from py_agent.log.change_lists import dump_changes, parse_changes
from py_agent.log.log import EventLog
from py_agent.log.state import SessionState
from py_agent.log.store import OpenSessionLog, SessionMeta, SessionStore
from py_agent.log.transcript import Transcript
from py_agent.ports.host import Host
from py_agent.run.repetition import Repetition
from py_agent.workspace.transaction import hash_bytes
from py_agent.workspace.workspace import Workspace

INLINE_BYTES = 32 * 1024
MAX_IMAGE_BYTES = 20 * 2**20
_IMAGES = {
    rb"\x89PNG\r\n\x1a\n": "image/png",
    rb"\xff\xd8\xff": "image/jpeg",
    rb"GIF8[79]a": "image/gif",
    rb"RIFF....WEBP": "image/webp",
}
_PREVIEW_CHARACTERS = 1000
_WithChanges = WorkspaceChanged | WorkspaceImport | WorkspaceCommit
_CHANGE_LISTS = ("changes", "settled")


class Session:
    """`state`, `transcript`, `workspace` and `repetition` are folds of the log and follow it by themselves."""

    def __init__(self, host: Host, opened: OpenSessionLog) -> None:
        self.host = host
        self.meta: SessionMeta = opened.meta
        self.log: EventLog = opened.log
        self.state = SessionState()
        self.transcript = Transcript()
        self.workspace = Workspace(host.storage.blobs, host.clock)
        self.repetition = Repetition()
        self._opened = opened
        self._changes_on_the_way: dict[str, tuple[Change, ...]] = {}

    @classmethod
    async def open(cls, host: Host, session_id: str, *, to_read: bool = False) -> Self:
        """Open to write, which one process at a time can do, or only to read."""
        store = SessionStore(host)
        opened = await (store.open_to_read(session_id) if to_read else store.open(session_id))
        session = cls(host, opened)
        try:
            await session._replay()
        except BaseException:
            await session.close()
            raise
        session.log.listen(session._fold)
        return session

    @classmethod
    async def create(cls, host: Host, metadata: dict[str, Any] | None = None) -> Self:
        return await cls.open(host, await SessionStore(host).create(metadata))

    @property
    def session_id(self) -> str:
        return self.log.session_id

    async def close(self) -> None:
        await self._opened.close()

    async def append(self, *events: BaseEvent) -> list[Event]:
        """Store events as one batch, as part of the open run if there is one."""
        run = self.state.run
        if run is not None:
            events = tuple(_of_run(event, run.run_id, run.step) for event in events)
        return await self.log.append(*[await self._with_blob(event) for event in events])

    async def text_fields(self, text: str) -> dict[str, Any]:
        """The fields that hold a text: the text, or its start and where the whole of it is kept."""
        if len(text) * 4 <= INLINE_BYTES or len(text.encode()) <= INLINE_BYTES:
            return {"text": text}
        return {"text": text[:_PREVIEW_CHARACTERS], "text_blob": await self.put_blob(text.encode())}

    async def json_fields(self, name: str, value: Any) -> dict[str, Any]:
        """The fields that hold a JSON value: itself, or where it is kept."""
        data = json.dumps(value, ensure_ascii=False).encode()
        if len(data) <= INLINE_BYTES:
            return {name: value}
        return {f"{name}_blob": await self.put_blob(data)}

    async def _replay(self) -> None:
        async for events in self.log.read():
            for event in events:
                for _, blob in _change_blobs(event):
                    data = await self.host.storage.blobs.get(blob.sha256)
                    self._changes_on_the_way[blob.sha256] = await parse_changes(data)
                self._fold(event)

    def _fold(self, event: Event) -> None:
        if event.seq is None:  # only told, such as the end of a run that the disk did not take
            return
        self.state.add(event)
        self.transcript.add(event)
        self.repetition.add(event)
        if blobs := list(_change_blobs(event)):
            lists = {name: self._changes_on_the_way[blob.sha256] for name, blob in blobs}
            for _, blob in blobs:
                self._changes_on_the_way.pop(blob.sha256, None)
            event = event.model_copy(update=lists)
        self.workspace.add(event)

    async def _with_blob(self, event: BaseEvent) -> BaseEvent:
        """Move long lists of changes out of the event."""
        if not isinstance(event, _WithChanges):
            return event
        for name in _CHANGE_LISTS:
            changes: tuple[Change, ...] = getattr(event, name, ())
            data = await dump_changes(changes)
            if len(data) > INLINE_BYTES:
                blob = await self.put_blob(data)
                self._changes_on_the_way[blob.sha256] = changes
                event = event.model_copy(update={name: (), f"{name}_blob": blob})
        return event

    async def keep_image(self, data: bytes) -> Image:
        """A picture for a message; what kind it is, its first bytes say."""
        kind = next((kind for start, kind in _IMAGES.items() if re.match(start, data, re.DOTALL)), None)
        if kind is None or len(data) > MAX_IMAGE_BYTES:
            raise UsageError(f"A picture must be PNG, JPEG, GIF or WebP, and at most {MAX_IMAGE_BYTES} bytes.")
        return Image.model_validate({"mime_type": kind, "blob": await self.put_blob(data)})

    async def put_blob(self, data: bytes) -> BlobRef:
        blob = BlobRef(sha256=hash_bytes(data), size_bytes=len(data))
        await self.host.storage.blobs.put_many([(blob.sha256, data)])
        return blob


def _change_blobs(event: BaseEvent) -> Iterator[tuple[str, BlobRef]]:
    """The lists of changes that are kept outside an event, by their name."""
    for name in _CHANGE_LISTS if isinstance(event, _WithChanges) else ():
        blob = getattr(event, f"{name}_blob", None)
        if isinstance(blob, BlobRef):
            yield name, blob


def _of_run(event: BaseEvent, run_id: str, step: int) -> BaseEvent:
    if event.run_id is not None:
        return event
    return event.model_copy(update={"run_id": run_id, "step": event.step or step or None})
