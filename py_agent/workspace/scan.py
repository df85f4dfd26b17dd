"""Walking a real folder: what is in it, what is left out and why."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from py_agent.core.events import Skipped
from py_agent.core.limits import ImportLimits
from py_agent.core.paths import ROOT, WorkspacePath
from py_agent.errors import InvalidPath, PathMissing, StorageError
from py_agent.ports.folder import Folder, FolderEntry
from py_agent.workspace.ignore import IgnoreFile, is_ignored

_EXAMPLES = 5
_MAX_IGNORE_BYTES = 256 * 1024
IsReserved = Callable[[WorkspacePath], bool]


@dataclass(slots=True)
class Scan:
    """`found` has the entries to copy; `skipped` names what was left out, by reason."""

    found: dict[WorkspacePath, FolderEntry] = field(default_factory=dict)
    skipped: dict[str, list[str]] = field(default_factory=dict)
    files: int = 0
    total_bytes: int = 0

    def skip(self, reason: str, path: str) -> None:
        self.skipped.setdefault(reason, []).append(path)

    def report(self) -> tuple[Skipped, ...]:
        return tuple(
            Skipped.model_validate({"reason": reason, "count": len(paths), "examples": tuple(paths[:_EXAMPLES])})
            for reason, paths in sorted(self.skipped.items())
        )


async def scan_folder(folder: Folder, limits: ImportLimits, is_reserved: IsReserved) -> Scan:
    """Every entry of the folder but the ignored, the reserved and what goes beyond the limits."""
    scan = Scan()
    waiting: list[tuple[WorkspacePath, list[IgnoreFile]]] = [(ROOT, [])]
    while waiting:
        directory, ignores = waiting.pop()
        entries = await _list(folder, directory, scan)
        ignores = await _with_own(folder, directory, entries, ignores)
        for entry in entries:
            path = _take(scan, directory, entry, ignores, limits, is_reserved)
            if path is not None and entry.kind == "dir":
                waiting.append((path, ignores))
        if entries and all(_is_reserved_name(directory, entry, is_reserved) for entry in entries):
            scan.found.pop(directory, None)  # it is there for what is reserved alone
    return scan


def _is_reserved_name(directory: WorkspacePath, entry: FolderEntry, is_reserved: IsReserved) -> bool:
    try:
        return is_reserved(directory / entry.name)
    except InvalidPath:
        return False


async def _list(folder: Folder, directory: WorkspacePath, scan: Scan) -> Sequence[FolderEntry]:
    try:
        return await folder.list(directory)
    except (PathMissing, StorageError):
        if directory == ROOT:
            raise
        scan.skip("unreadable", directory)
        return []


async def _with_own(
    folder: Folder, directory: WorkspacePath, entries: Sequence[FolderEntry], ignores: list[IgnoreFile]
) -> list[IgnoreFile]:
    own = next((entry for entry in entries if entry.name == ".gitignore" and entry.kind == "file"), None)
    if own is None or own.size > _MAX_IGNORE_BYTES:
        return ignores
    text = (await folder.read(directory / ".gitignore")).decode(errors="replace")
    return [*ignores, IgnoreFile(directory, text)]


def _take(  # noqa: PLR0917
    scan: Scan,
    directory: WorkspacePath,
    entry: FolderEntry,
    ignores: Sequence[IgnoreFile],
    limits: ImportLimits,
    is_reserved: IsReserved,
) -> WorkspacePath | None:
    """Take an entry in, or say why not."""
    try:
        path = directory / entry.name
    except InvalidPath:
        scan.skip("name", ascii(f"{directory}/{entry.name}"))
        return None
    if is_reserved(path):
        return None
    reason = _refusal(scan, path, entry, limits)
    if is_ignored(path, ignores, is_directory=entry.kind == "dir"):
        reason = "ignored"
    if reason is not None:
        scan.skip(reason, path)
        return None
    scan.found[path] = entry
    if entry.kind != "dir":
        scan.files += 1
        scan.total_bytes += entry.size
    return path


def _refusal(scan: Scan, path: WorkspacePath, entry: FolderEntry, limits: ImportLimits) -> str | None:
    if entry.kind == "special":
        return "special"
    if entry.kind == "dir":
        return None
    if scan.files >= limits.max_files:
        return "too_many"
    if entry.size > limits.max_file_bytes:
        return "too_large"
    if scan.total_bytes + entry.size > limits.max_total_bytes:
        return "too_much"
    return None
