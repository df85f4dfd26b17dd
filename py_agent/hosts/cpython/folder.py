"""A person's folder on disk, walked by descriptors so that no symlink is ever followed."""

import asyncio
import errno
import os
import secrets
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from py_agent.core.paths import WorkspacePath
from py_agent.errors import PathExists, PathMissing, StorageFailed, StorageMissing, WrongKind
from py_agent.hosts.cpython.faults import storage_faults
from py_agent.hosts.cpython.storage import write_all
from py_agent.ports.folder import TEMPORARY_PREFIX, FolderEntry, Seen, seen_state

_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NOT_A_DIRECTORY = {errno.ENOTDIR, errno.ELOOP}
_IN_THE_WAY = _NOT_A_DIRECTORY | {errno.EISDIR, errno.ENOTEMPTY, errno.EEXIST}
_CHUNK_BYTES = 1 << 20
_READ_TRIES = 3


class LocalFolder:
    def __init__(self, root: Path) -> None:
        self._root = root

    @property
    def label(self) -> str:
        return str(self._root)

    async def list(self, path: WorkspacePath) -> Sequence[FolderEntry]:
        return await asyncio.to_thread(self._list, path)

    def _list(self, path: WorkspacePath) -> Sequence[FolderEntry]:
        with self._reading(path), self._directory(path) as directory:
            names = sorted(os.listdir(directory))
            found = (_stat_at(directory, name) for name in names)
            return [entry for entry in found if entry is not None]

    async def stat(self, path: WorkspacePath) -> FolderEntry | None:
        return await asyncio.to_thread(self._stat, path)

    def _stat(self, path: WorkspacePath) -> FolderEntry | None:
        if not path:
            return FolderEntry(name="", kind="dir")
        try:
            with self._reading(path), self._directory(path.parent) as directory:
                return _stat_at(directory, path.name)
        except PathMissing:
            return None

    async def read(self, path: WorkspacePath) -> bytes:
        return await asyncio.to_thread(self._read, path)

    async def read_many(self, paths: Sequence[WorkspacePath]) -> Sequence[bytes | None]:
        # To wake a thread takes several times as long as to read a small file.
        return await asyncio.to_thread(lambda: [self._read_if_there(path) for path in paths])

    def _read_if_there(self, path: WorkspacePath) -> bytes | None:
        try:
            return self._read(path)
        except (PathMissing, StorageFailed):
            return None

    def _read(self, path: WorkspacePath) -> bytes:
        with self._reading(path), self._directory(path.parent) as directory:
            for _ in range(_READ_TRIES):
                data = _read_at(directory, path.name)
                if data is not None:
                    return data
        raise StorageFailed(f"{path!r} in {self._root} changes whenever it is read; try again when it rests.")

    async def write(
        self, path: WorkspacePath, data: bytes, *, executable: bool = False, seen: Seen = "anything"
    ) -> int:
        return await asyncio.to_thread(self._write, path, data, executable, seen)

    def _write(self, path: WorkspacePath, data: bytes, executable: bool, seen: Seen) -> int:
        with self._writing(path), self._directory(path.parent, create=True) as directory:
            temporary = TEMPORARY_PREFIX + secrets.token_hex(8)
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
            descriptor = os.open(temporary, flags, 0o777 if executable else 0o666, dir_fd=directory)
            with _unlinked_on_failure(directory, temporary):
                try:
                    write_all(descriptor, data, 0)
                    _keep_mode(descriptor, _lstat(directory, path.name), executable=executable)
                    os.fsync(descriptor)
                    self._put_in_place(directory, temporary, path, seen)
                    return os.fstat(descriptor).st_mtime_ns
                finally:
                    os.close(descriptor)

    async def link(self, path: WorkspacePath, target: str, *, seen: Seen = "anything") -> None:
        await asyncio.to_thread(self._link, path, target, seen)

    def _link(self, path: WorkspacePath, target: str, seen: Seen) -> None:
        with self._writing(path), self._directory(path.parent, create=True) as directory:
            temporary = TEMPORARY_PREFIX + secrets.token_hex(8)
            os.symlink(target, temporary, dir_fd=directory)
            with _unlinked_on_failure(directory, temporary):
                self._put_in_place(directory, temporary, path, seen)

    async def make_dir(self, path: WorkspacePath) -> None:
        await asyncio.to_thread(self._make_dir, path)

    def _make_dir(self, path: WorkspacePath) -> None:
        with self._writing(path), self._directory(path, create=True):
            return

    async def remove(self, path: WorkspacePath, *, seen: Seen = "anything") -> None:
        await asyncio.to_thread(self._remove, path, seen)

    def _remove(self, path: WorkspacePath, seen: Seen) -> None:
        try:
            with self._writing(path), self._directory(path.parent) as directory:
                self._check_seen(directory, path, seen)
                if stat.S_ISDIR(os.stat(path.name, dir_fd=directory, follow_symlinks=False).st_mode):
                    _sweep(directory, path.name)
                    os.rmdir(path.name, dir_fd=directory)
                else:
                    os.unlink(path.name, dir_fd=directory)
                os.fsync(directory)
        except StorageMissing:
            return

    def _put_in_place(self, directory: int, temporary: str, path: WorkspacePath, seen: Seen) -> None:
        self._check_seen(directory, path, seen)
        os.rename(temporary, path.name, src_dir_fd=directory, dst_dir_fd=directory)
        os.fsync(directory)

    def _check_seen(self, directory: int, path: WorkspacePath, seen: Seen) -> None:
        if seen != "anything" and seen_state(seen) != seen_state(_stat_at(directory, path.name)):
            raise PathExists(f"{path!r} in {self._root} was changed at this moment; it is left as it is.")

    @contextmanager
    def _directory(self, path: WorkspacePath, *, create: bool = False) -> Iterator[int]:
        """The directory's descriptor, reached one name at a time."""
        descriptor = os.open(self._root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            for name in path.parts:
                if create and _lstat(descriptor, name) is None:
                    os.mkdir(name, 0o777, dir_fd=descriptor)
                    os.fsync(descriptor)
                below = os.open(name, _DIRECTORY, dir_fd=descriptor)
                os.close(descriptor)
                descriptor = below
            yield descriptor
        finally:
            os.close(descriptor)

    @contextmanager
    def _reading(self, path: WorkspacePath) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            if error.errno == errno.ENOENT or error.errno in _NOT_A_DIRECTORY:
                raise PathMissing(f"There is no {path!r} in {self._root}, or it is a link.") from error
            raise StorageFailed(f"{path!r} in {self._root} could not be read: {error.strerror}.") from error

    @contextmanager
    def _writing(self, path: WorkspacePath) -> Iterator[None]:
        try:
            with storage_faults(self._root / path):
                yield
        except StorageFailed as error:
            cause = error.__cause__
            if isinstance(cause, OSError) and cause.errno in _IN_THE_WAY:
                raise WrongKind(f"{path!r} in {self._root} is in the way: {cause.strerror}.") from cause
            raise


def _lstat(directory: int, name: str) -> os.stat_result | None:
    try:
        return os.stat(name, dir_fd=directory, follow_symlinks=False)
    except FileNotFoundError:
        return None


def _stat_at(directory: int, name: str) -> FolderEntry | None:
    found = _lstat(directory, name)
    if found is None:
        return None
    if stat.S_ISDIR(found.st_mode):
        return FolderEntry(name, "dir", mtime_ns=found.st_mtime_ns)
    if stat.S_ISLNK(found.st_mode):
        return _link_at(directory, name, found.st_mtime_ns)
    if not stat.S_ISREG(found.st_mode):
        return FolderEntry(name, "special", mtime_ns=found.st_mtime_ns)
    executable = bool(found.st_mode & stat.S_IXUSR)
    return FolderEntry(name, "file", size=found.st_size, mtime_ns=found.st_mtime_ns, executable=executable)


def _link_at(directory: int, name: str, mtime_ns: int) -> FolderEntry | None:
    try:
        target = os.readlink(name, dir_fd=directory)
    except OSError as error:
        if error.errno not in (errno.ENOENT, errno.EINVAL):
            raise
        return None  # it was a link a moment ago
    return FolderEntry(name, "symlink", mtime_ns=mtime_ns, target=target)


def _read_at(directory: int, name: str) -> bytes | None:
    """A file's bytes; None if it changed meanwhile."""
    # O_NONBLOCK: opening a pipe that someone put here must not wait for a writer.
    descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=directory)
    try:
        before = os.fstat(descriptor)
        if not stat.S_ISREG(before.st_mode):
            raise FileNotFoundError(errno.ENOENT, "not a regular file")
        data = _read_up_to(descriptor, before.st_size + 1)
        after = os.fstat(descriptor)
    finally:
        os.close(descriptor)
    is_same = (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns)
    return data if is_same and len(data) == after.st_size else None


def _read_up_to(descriptor: int, size: int) -> bytes:
    """Not to the end, which may run away from a slow reader."""
    chunks: list[bytes] = []
    while size > 0 and (chunk := os.read(descriptor, min(size, _CHUNK_BYTES))):
        chunks.append(chunk)
        size -= len(chunk)
    return b"".join(chunks)


def _keep_mode(descriptor: int, existing: os.stat_result | None, *, executable: bool) -> None:
    """Keep a file's own permissions, but for the executable bits, which are the session's to say."""
    if existing is None or not stat.S_ISREG(existing.st_mode):
        return
    mode = existing.st_mode & 0o777
    if bool(mode & stat.S_IXUSR) != executable:
        mode = mode | ((mode & 0o444) >> 2) if executable else mode & ~0o111
    os.fchmod(descriptor, mode)


def _sweep(directory: int, name: str) -> None:
    """Remove what a crash left of ours in a directory that is to go: nobody sees it, so nobody else would."""
    descriptor = os.open(name, _DIRECTORY, dir_fd=directory)
    try:
        for left in os.listdir(descriptor):
            if left.startswith(TEMPORARY_PREFIX):
                os.unlink(left, dir_fd=descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def _unlinked_on_failure(directory: int, name: str) -> Iterator[None]:
    try:
        yield
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(name, dir_fd=directory)
        raise
