"""A state directory on disk: durable means that fsync came back."""

import asyncio
import hashlib
import os
import secrets
import shutil
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from py_agent.errors import StorageFailed, StorageMissing
from py_agent.hosts.cpython.faults import storage_faults

# fsync waits for the disk, not for us: several at once share its journal's commits.
_SYNC_THREADS = 8
# A flush that takes less than this is waited for in place, if the event loop has hardly anything else to do.
_QUICK_SECONDS = 0.002
_FEW_TASKS = 8
# Ends the name of a file that is being put in place; one that a crash left behind is never shown.
_NEW = ".new"


class DiskFile:
    """What stands behind `size` after a failed write counts for nothing, and is cut off before the next one."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self._path = path
        self._descriptor: int | None = descriptor
        self._size = os.fstat(descriptor).st_size
        self._is_cut = True
        self._flush_seconds = _QUICK_SECONDS  # a mean that leans to the last few

    @property
    def size(self) -> int:
        return self._size

    async def read(self, offset: int, length: int) -> bytes:
        with storage_faults(self._path):
            return os.pread(self._open(), max(0, min(length, self._size - offset)), offset)

    async def append(self, data: bytes) -> None:
        """On a disk that answers at once a thread costs more than the wait, as long as nobody else is kept waiting."""
        started = time.monotonic()
        if self._flush_seconds < _QUICK_SECONDS and len(asyncio.all_tasks()) <= _FEW_TASKS:
            self._append(data)
        else:
            await asyncio.to_thread(self._append, data)
        self._flush_seconds += (time.monotonic() - started - self._flush_seconds) / 4

    def _append(self, data: bytes) -> None:
        with storage_faults(self._path):
            if not self._is_cut:
                self._cut()
            try:
                write_all(self._open(), data, self._size)
                os.fdatasync(self._open())
            except OSError:
                self._is_cut = False
                with suppress(OSError):
                    self._cut()
                raise
        self._size += len(data)

    async def truncate(self, size: int) -> None:
        self._size, self._is_cut = size, False
        with storage_faults(self._path):
            self._cut()

    def _cut(self) -> None:
        os.ftruncate(self._open(), self._size)
        os.fdatasync(self._open())
        self._is_cut = True

    async def close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _open(self) -> int:
        if self._descriptor is None:
            raise StorageFailed(f"{self._path} is closed.")
        return self._descriptor


class DiskBlobs:
    """One file per blob under the first two characters of its hash, as git keeps its objects."""

    def __init__(self, root: Path) -> None:
        self._root = root
        # Blobs that are there, but whose names may not have reached the disk; and whether the root's own has.
        self._unsettled: set[str] = set()
        self._is_root_settled = False

    async def put_many(self, blobs: Sequence[tuple[str, bytes]]) -> None:
        if len(blobs) > 1 or not self._is_settled(blobs):
            await asyncio.to_thread(self._put_many, dict(blobs))

    def _is_settled(self, blobs: Sequence[tuple[str, bytes]]) -> bool:
        return all(self._path(sha256).exists() and sha256 not in self._unsettled for sha256, _ in blobs)

    def _put_many(self, blobs: Mapping[str, bytes]) -> None:
        missing = {sha256: data for sha256, data in blobs.items() if not self._path(sha256).exists()}
        names = missing.keys() | (blobs.keys() & self._unsettled)
        if not names:
            return
        with storage_faults(self._root):
            self._unsettled |= names
            self._write(missing)
            _at_once(sync, {self._path(sha256).parent for sha256 in names})
            sync(self._root)
            if not self._is_root_settled:
                sync(self._root.parent)
                self._is_root_settled = True
            self._unsettled -= names

    def _write(self, blobs: Mapping[str, bytes]) -> None:
        for directory in {self._path(sha256).parent for sha256 in blobs}:
            directory.mkdir(parents=True, exist_ok=True)
        replace_files({self._path(sha256): data for sha256, data in blobs.items()}, mode=0o600)

    async def get(self, sha256: str) -> bytes:
        path = self._path(sha256)
        with storage_faults(path):
            data = path.read_bytes()
        if hashlib.sha256(data).hexdigest() != sha256:
            raise StorageFailed(f"The blob {path} is damaged: its bytes do not have that hash.")
        return data

    async def has(self, sha256: str) -> bool:
        return self._path(sha256).exists()

    def _path(self, sha256: str) -> Path:
        return self._root / sha256[:2] / sha256[2:]


class FileStorage:
    def __init__(self, root: Path) -> None:
        self._root = root
        self._blobs = DiskBlobs(root / "blobs")
        # Files that were made, but whose names may not have reached the disk.
        self._unsettled: set[Path] = set()

    @property
    def blobs(self) -> DiskBlobs:
        return self._blobs

    async def open(self, path: str) -> DiskFile:
        full = self._root / path
        with storage_faults(full):
            if not full.exists():
                self._unsettled.add(full)
            full.parent.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(full, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                if full in self._unsettled:
                    self._sync_parents(full)
            except OSError:
                os.close(descriptor)
                raise
            self._unsettled.discard(full)
        return DiskFile(full, descriptor)

    async def read(self, path: str) -> bytes:
        with storage_faults(self._root / path):
            return (self._root / path).read_bytes()

    async def write(self, path: str, data: bytes) -> None:
        await asyncio.to_thread(self._write, self._root / path, data)

    def _write(self, full: Path, data: bytes) -> None:
        with storage_faults(full):
            full.parent.mkdir(parents=True, exist_ok=True)
            replace_files({full: data}, mode=0o600)
            self._sync_parents(full)

    def _sync_parents(self, full: Path) -> None:
        """Make a new name durable, and the directories that may have been made for it."""
        for directory in full.parents:
            sync(directory)
            if directory == self._root:
                break

    async def list(self, path: str) -> Sequence[str]:
        try:
            with storage_faults(self._root / path):
                return sorted(name for name in os.listdir(self._root / path) if not name.endswith(_NEW))
        except StorageMissing:
            return []

    async def remove(self, path: str) -> None:
        full = self._root / path
        try:
            with storage_faults(full):
                await asyncio.to_thread(shutil.rmtree if full.is_dir() else os.remove, full)
        except StorageMissing:
            return


def write_all(descriptor: int, data: bytes, offset: int) -> None:
    view = memoryview(data)
    while view:
        written = os.pwrite(descriptor, view, offset)
        view, offset = view[written:], offset + written


def replace_files(files: Mapping[Path, bytes], *, mode: int) -> None:
    """Put files in place, each whole; the caller makes the names durable. All are written before the first is
    flushed: the disk then takes them in a few commits of its journal, not in one for each."""
    temporary: dict[Path, Path] = {}
    try:
        for path, data in files.items():
            temporary[path] = path.with_name(f"{path.name}.{secrets.token_hex(4)}{_NEW}")
            _write_new(temporary[path], data, mode)
        _at_once(sync, temporary.values())
        for path, new in temporary.items():
            new.rename(path)
    except BaseException:
        for new in temporary.values():
            new.unlink(missing_ok=True)
        raise


def _write_new(path: Path, data: bytes, mode: int) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    try:
        write_all(descriptor, data, 0)
    finally:
        os.close(descriptor)


def sync(path: Path) -> None:
    """Flush a file, or the names in a directory."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _at_once(action: Callable[[Path], None], paths: Collection[Path]) -> None:
    if len(paths) < 2:
        for path in paths:
            action(path)
        return
    with ThreadPoolExecutor(_SYNC_THREADS) as pool:
        list(pool.map(action, paths))
