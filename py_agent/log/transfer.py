"""Moving sessions: export to one file, import from it, and repair of a damaged one."""

import hashlib
import io
import zipfile
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Any

from pydantic import BaseModel, ValidationError

from py_agent.core.events import BaseEvent, Event, SessionRepaired, parse_event
from py_agent.core.ids import is_id
from py_agent.core.trees import BlobRef
from py_agent.errors import BadFile, SessionNotFound, StorageMissing
from py_agent.log.change_lists import parse_changes
from py_agent.log.codec import decode_line, encode_line, find_fault, seal, strip_sum
from py_agent.log.log import EventLog
from py_agent.log.store import SessionMeta, SessionStore, directory, log_path
from py_agent.ports.host import Host

_MAX_BYTES = 4 * 2**30
_ZIP_TIME = (1980, 1, 1, 0, 0, 0)


async def export_session(host: Host, session_id: str) -> bytes:
    """A zip of the log, `meta.json` and every blob that the log names: the same bytes for the same session."""
    store = SessionStore(host)
    opened = await store.open_to_read(session_id)
    try:
        lines, hashes = await _collect(host, opened.log)
    finally:
        await opened.close()
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        _add(archive, "meta.json", await host.storage.read(f"{directory(session_id)}/meta.json"))
        _add(archive, "events.jsonl", lines)
        for sha256 in sorted(hashes):
            _add(archive, f"blobs/{sha256}", await host.storage.blobs.get(sha256))
    return target.getvalue()


async def import_session(host: Host, data: bytes) -> str:
    """Take in an exported zip or a bare `events.jsonl`; gives the session's id."""
    meta, lines, blobs = _unpack(data)
    events = [_sealed(number, line) for number, line in enumerate(lines, start=1)]
    session_id = _session_id(meta, events) or host.ids.new()
    if await SessionStore(host).exists(session_id):
        raise BadFile(f"Session {session_id} is there already; nothing was imported.")
    await host.storage.blobs.put_many(blobs)
    meta = meta or SessionMeta(session_id=session_id, created_at=host.clock.now())
    await _put(host, meta, (line for line, _ in events))
    return session_id


async def repair_session(host: Host, session_id: str) -> tuple[str, list[int]]:
    """Copy every line that is whole into a new session; gives its id and the numbers of the lost lines."""
    try:
        data = await host.storage.read(log_path(session_id))
    except StorageMissing as error:
        raise SessionNotFound(f"There is no log of a session {session_id} to repair.") from error
    kept: list[BaseEvent] = []
    lost: list[int] = []
    for number, line in enumerate(data.split(b"\n"), start=1):
        event = _salvage(line)
        if event is not None:
            kept.append(event)
        elif line:
            lost.append(number)
    now = host.clock.now()
    metadata = {**await _metadata(SessionStore(host), session_id), "repaired_from": session_id}
    meta = SessionMeta(session_id=host.ids.new(), created_at=now, metadata=metadata)
    first = SessionRepaired(ts=now, from_session_id=session_id, lost_lines=tuple(lost))
    await _put(host, meta, _renumbered([first, *kept], meta.session_id))
    return meta.session_id, lost


async def _put(host: Host, meta: SessionMeta, lines: Iterable[bytes]) -> None:
    """Make a session of whole lines. It is there once its `meta.json` is, which therefore comes last."""
    await host.storage.write(log_path(meta.session_id), b"".join(lines))
    await SessionStore(host).write_meta(meta)


async def _metadata(store: SessionStore, session_id: str) -> dict[str, Any]:
    try:
        return (await store.read_meta(session_id)).metadata
    except (BadFile, SessionNotFound):
        return {}


def _renumbered(events: Iterable[BaseEvent], session_id: str) -> Iterator[bytes]:
    for seq, event in enumerate(events, start=1):
        yield encode_line(event.model_copy(update={"seq": seq, "session_id": session_id}))


def _salvage(line: bytes) -> Event | None:
    if not line or find_fault(line) is not None:
        return None
    try:
        return decode_line(line)
    except ValidationError:
        return None


async def _collect(host: Host, log: EventLog) -> tuple[bytes, set[str]]:
    """The log's lines, and the hashes of all blobs that they name, also those named inside blobs."""
    lines: list[bytes] = []
    hashes: set[str] = set()
    async for event in _events(log):
        lines.append(encode_line(event))
        for found in _named(event):
            hashes.add(found)
        blobs = (getattr(event, name, None) for name in ("changes_blob", "settled_blob"))
        for blob in (blob for blob in blobs if isinstance(blob, BlobRef)):
            for change in await parse_changes(await host.storage.blobs.get(blob.sha256)):
                hashes.update(_named(change))
    return b"".join(lines), hashes


async def _events(log: EventLog) -> AsyncIterator[Event]:
    async for events in log.read():
        for event in events:
            yield event


def _named(value: Any) -> Iterator[str]:
    """Every `sha256` of blobs and tree entries in a model, wherever it stands."""
    if isinstance(value, BaseModel):
        sha256 = getattr(value, "sha256", None)
        if isinstance(sha256, str):
            yield sha256
        for name in type(value).model_fields:
            yield from _named(getattr(value, name))
    elif isinstance(value, tuple):
        for item in value:
            yield from _named(item)


def _add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    archive.writestr(zipfile.ZipInfo(name, _ZIP_TIME), data, zipfile.ZIP_DEFLATED)


Unpacked = tuple[SessionMeta | None, list[bytes], list[tuple[str, bytes]]]


def _unpack(data: bytes) -> Unpacked:
    if not data.strip():
        raise BadFile("The file is empty; name an exported session or an events.jsonl.")
    if not data.startswith(b"PK"):
        return None, [line for line in data.split(b"\n") if line.strip()], []
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _unzip(archive)
    except BadFile:
        raise
    except Exception as error:  # a damaged zip raises whatever its codecs do
        raise BadFile(f"The file is damaged or no exported session: {str(error) or type(error).__name__}.") from error


def _unzip(archive: zipfile.ZipFile) -> Unpacked:
    if sum(entry.file_size for entry in archive.infolist()) > _MAX_BYTES:
        raise BadFile("The file unpacks to more than 4 GiB; it was not imported.")
    meta = SessionMeta.model_validate_json(archive.read("meta.json"))
    lines = [line for line in archive.read("events.jsonl").split(b"\n") if line]
    names = [name for name in archive.namelist() if name.startswith("blobs/")]
    return meta, lines, [_checked_blob(name[6:], archive.read(name)) for name in names]


def _checked_blob(sha256: str, data: bytes) -> tuple[str, bytes]:
    if hashlib.sha256(data).hexdigest() != sha256:
        raise BadFile(f"The file is damaged: blob {sha256[:60]} does not have that hash.")
    return sha256, data


def _sealed(number: int, line: bytes) -> tuple[bytes, Event]:
    """A line with its checksum, checked if it had one, and its event."""
    stripped = strip_sum(line)
    if stripped is not line and find_fault(line) is not None:
        raise BadFile(f"Line {number} of the log is damaged: {find_fault(line)}. Nothing was imported.")
    try:
        event = parse_event(stripped)
    except ValidationError as error:
        raise BadFile(f"Line {number} of the log is no event: {error.errors()[0]['msg']}.") from error
    if event.seq != number:
        raise BadFile(f"Line {number} of the log says that it is number {event.seq}. Nothing was imported.")
    return seal(stripped.strip()), event


def _session_id(meta: SessionMeta | None, events: list[tuple[bytes, Event]]) -> str | None:
    found = meta.session_id if meta else events[0][1].session_id if events else None
    if found is not None and not is_id(found):
        raise BadFile(f"The file names a session {found[:60]!r}, which is no session id.")
    return found
