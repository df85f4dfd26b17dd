"""Tree entries made from what a real folder holds."""

import asyncio
import hashlib

from py_agent.core.trees import DIRECTORY, TreeEntry
from py_agent.ports.folder import FolderEntry
from py_agent.workspace.transaction import hash_bytes

# A file changed this shortly before it was read may change again within the same time stamp.
_RACY_NS = 2 * 10**9
_HASHED_AT_ONCE_BYTES = 2**20


def is_surely_same(before: TreeEntry, found: FolderEntry) -> bool:
    """Whether an entry can be told to be unchanged without reading it."""
    if before.kind != found.kind:
        return False
    if found.kind == "dir":
        return True
    if found.kind == "symlink":
        return before.target == found.target
    is_same_mode = found.executable in (None, before.executable)
    return is_same_mode and (before.size, before.mtime_ns) == (found.size, found.mtime_ns) and not before.is_racy


def plain_entry(found: FolderEntry) -> TreeEntry | None:
    """A directory or a symlink, or of a file what can be told without reading it; None for anything else."""
    match found.kind:
        case "dir":
            return DIRECTORY
        case "symlink":
            return TreeEntry(kind="symlink", target=found.target, mtime_ns=found.mtime_ns)
        case "file":
            return TreeEntry(kind="file", size=found.size, mtime_ns=found.mtime_ns, executable=bool(found.executable))
    return None


async def file_entry(found: FolderEntry, data: bytes, *, now_ns: int, known: TreeEntry | None) -> TreeEntry:
    """A file that was read. Where the folder cannot tell whether it is executable, it is so if it was known to be."""
    executable = found.executable
    if executable is None:
        executable = known is not None and known.executable
    return TreeEntry(
        kind="file",
        sha256=await _hash(data),
        size=len(data),
        mtime_ns=found.mtime_ns,
        executable=executable,
        is_racy=found.mtime_ns > now_ns - _RACY_NS,
    )


async def _hash(data: bytes) -> str:
    if len(data) <= _HASHED_AT_ONCE_BYTES:
        return hash_bytes(data)
    digest, view = hashlib.sha256(), memoryview(data)
    for start in range(0, len(data), _HASHED_AT_ONCE_BYTES):
        digest.update(view[start : start + _HASHED_AT_ONCE_BYTES])
        await asyncio.sleep(0)
    return digest.hexdigest()
