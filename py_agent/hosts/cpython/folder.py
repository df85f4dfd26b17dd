"""A person's folder on disk, walked by descriptors so that no symlink is ever followed."""

import asyncio
import errno
import os
import secrets
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from py_agent.core.paths import WorkspacePath
from py_agent.errors import PathMissing, StorageFailed, WrongKind
from py_agent.hosts.cpython.faults import storage_faults
from py_agent.hosts.cpython.storage import write_all
from py_agent.ports.folder import FolderEntry

_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NOT_A_DIRECTORY = {errno.ENOTDIR, errno.ELOOP}
_CHUNK_BYTES = 1 << 20
TEMPORARY_PREFIX = ".py-agent-"


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
        # O_NONBLOCK: opening a pipe that someone put here must not wait for a writer.
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        with self._reading(path), self._directory(path.parent) as directory:
            descriptor = os.open(path.name, flags, dir_fd=directory)
            try:
                if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                    raise PathMissing(f"There is no regular file {path!r} in {self._root}.")
                return b"".join(iter(lambda: os.read(descriptor, _CHUNK_BYTES), b""))
            finally:
                os.close(descriptor)

    async def write(self, path: WorkspacePath, data: bytes, *, executable: bool = False) -> int:
        return await asyncio.to_thread(self._write, path, data, executable)

    def _write(self, path: WorkspacePath, data: bytes, executable: bool) -> int:
        with self._writing(path), self._directory(path.parent, create=True) as directory:
            temporary = TEMPORARY_PREFIX + secrets.token_hex(8)
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
            mode = 0o777 if executable else 0o666
            descriptor = os.open(temporary, flags, mode, dir_fd=directory)
            try:
                write_all(descriptor, data, 0)
                _keep_mode(descriptor, _lstat(directory, path.name), executable=executable)
                os.fsync(descriptor)
                os.rename(temporary, path.name, src_dir_fd=directory, dst_dir_fd=directory)
                os.fsync(directory)
                return os.fstat(descriptor).st_mtime_ns
            except BaseException:
                _unlink_if_there(directory, temporary)
                raise
            finally:
                os.close(descriptor)

    async def link(self, path: WorkspacePath, target: str) -> None:
        await asyncio.to_thread(self._link, path, target)

    def _link(self, path: WorkspacePath, target: str) -> None:
        with self._writing(path), self._directory(path.parent, create=True) as directory:
            temporary = TEMPORARY_PREFIX + secrets.token_hex(8)
            os.symlink(target, temporary, dir_fd=directory)
            try:
                os.rename(temporary, path.name, src_dir_fd=directory, dst_dir_fd=directory)
            except BaseException:
                _unlink_if_there(directory, temporary)
                raise
            os.fsync(directory)

    async def make_dir(self, path: WorkspacePath) -> None:
        await asyncio.to_thread(self._make_dir, path)

    def _make_dir(self, path: WorkspacePath) -> None:
        with self._writing(path), self._directory(path, create=True):
            return

    async def remove(self, path: WorkspacePath) -> None:
        await asyncio.to_thread(self._remove, path)

    def _remove(self, path: WorkspacePath) -> None:
        with self._writing(path), self._directory(path.parent) as directory:
            found = _lstat(directory, path.name)
            if found is None:
                return
            if stat.S_ISDIR(found.st_mode):
                _sweep(directory, path.name)
                os.rmdir(path.name, dir_fd=directory)
            else:
                os.unlink(path.name, dir_fd=directory)
            os.fsync(directory)

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
            if isinstance(cause, OSError) and cause.errno in _NOT_A_DIRECTORY | {
                errno.EISDIR,
                errno.ENOTEMPTY,
            }:
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
        target = os.readlink(name, dir_fd=directory)
        return FolderEntry(name, "symlink", mtime_ns=found.st_mtime_ns, target=target)
    if not stat.S_ISREG(found.st_mode):
        return FolderEntry(name, "special", mtime_ns=found.st_mtime_ns)
    executable = bool(found.st_mode & stat.S_IXUSR)
    return FolderEntry(name, "file", size=found.st_size, mtime_ns=found.st_mtime_ns, executable=executable)


def _keep_mode(descriptor: int, existing: os.stat_result | None, *, executable: bool) -> None:
    """Keep a file's own permissions, but for the executable bits, which are the session's to say."""
    if existing is None or not stat.S_ISREG(existing.st_mode):
        return
    mode = stat.S_IMODE(existing.st_mode)
    os.fchmod(descriptor, mode | ((mode & 0o444) >> 2) if executable else mode & ~0o111)


def _sweep(directory: int, name: str) -> None:
    """Remove what a crash left of ours in a directory that is to go: nobody sees it, so nobody else would."""
    descriptor = os.open(name, _DIRECTORY, dir_fd=directory)
    try:
        for left in os.listdir(descriptor):
            if left.startswith(TEMPORARY_PREFIX):
                os.unlink(left, dir_fd=descriptor)
    finally:
        os.close(descriptor)


def _unlink_if_there(directory: int, name: str) -> None:
    if _lstat(directory, name) is not None:
        os.unlink(name, dir_fd=directory)
