"""Walking a real folder: what is in it, what is left out and why."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from py_agent.core.events import Skipped
from py_agent.core.limits import ImportLimits
from py_agent.core.paths import ROOT, WorkspacePath
from py_agent.errors import InvalidPath, PathMissing, StorageError
from py_agent.ports.folder import Folder, FolderEntry
from py_agent.workspace.ignore import MAX_PATTERNS, IgnoreFile, Pattern, is_ignored, pattern_lines
from py_agent.workspace.links import is_possible_target
from py_agent.workspace.pace import Pace
from py_agent.workspace.tree import TreeView

_EXAMPLES = 5
_MAX_IGNORE_BYTES = 2**20
IsReserved = Callable[[WorkspacePath], bool]


@dataclass(slots=True)
class Scan:
    """`found` has the entries to copy; `left_out` those that were copied before and cannot be any more.

    What is `known`, because it was copied before, stays in whatever the ignore rules say now."""

    folder: Folder
    limits: ImportLimits
    is_reserved: IsReserved
    known: TreeView
    pace: Pace
    found: dict[WorkspacePath, FolderEntry] = field(default_factory=dict)
    left_out: dict[WorkspacePath, tuple[str, FolderEntry]] = field(default_factory=dict)
    unread: set[WorkspacePath] = field(default_factory=set)
    examples: dict[str, list[str]] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    files: int = 0
    directories: int = 0
    total_bytes: int = 0

    def skip(self, reason: str, path: str) -> None:
        self.counts[reason] = self.counts.get(reason, 0) + 1
        if self.counts[reason] <= _EXAMPLES:
            self.examples.setdefault(reason, []).append(path)

    def leave_out(self, reason: str, path: WorkspacePath, entry: FolderEntry) -> None:
        self.skip(reason, path)
        if path in self.known:
            self.left_out[path] = (reason, entry)

    def report(self) -> tuple[Skipped, ...]:
        return tuple(
            Skipped.model_validate({"reason": reason, "count": count, "examples": self.examples[reason]})
            for reason, count in sorted(self.counts.items())
        )

    def is_gone(self, path: WorkspacePath) -> bool:
        """Whether a known path was looked for and not found."""
        if path in self.found or self.is_unread(path) or self.is_reserved(path):
            return False
        return not any(above in self.left_out for above in (path, *path.parents()))

    def is_unread(self, path: WorkspacePath) -> bool:
        return any(above in self.unread for above in (path, *path.parents()))


@dataclass(frozen=True, slots=True)
class _Directory:
    """One to walk, and the rules for what is in it. In an ignored one only known things are looked at."""

    path: WorkspacePath
    rules: Sequence[IgnoreFile] = ()
    is_ignored: bool = False


async def scan_folder(
    folder: Folder, limits: ImportLimits, is_reserved: IsReserved, *, known: TreeView, pace: Pace
) -> Scan:
    """Every entry of the folder but the ignored, the reserved and what goes beyond the limits."""
    scan = Scan(folder, limits, is_reserved, known, pace)
    waiting = [_Directory(ROOT)]
    while waiting:
        directory = waiting.pop()
        entries = await _list(scan, directory.path)
        directory = await _with_own_rules(scan, directory, entries)
        shown = 0
        for entry in entries:
            await pace.step()
            if is_reserved(directory.path.child(entry.name)):
                continue
            shown += 1
            below = _look_at(scan, directory, entry)
            waiting += [below] if below is not None else []
        if entries and not shown:
            scan.found.pop(directory.path, None)  # it is there for what is reserved alone
    return scan


async def _list(scan: Scan, directory: WorkspacePath) -> Sequence[FolderEntry]:
    try:
        return await scan.folder.list(directory)
    except (PathMissing, StorageError) as error:
        if directory == ROOT:
            label = scan.folder.label
            raise PathMissing(f"The folder {label} cannot be read; was it moved or removed? {error}") from error
        scan.unread.add(directory)
        del scan.found[directory]
        if isinstance(error, StorageError):
            scan.skip("unreadable", directory)
        return []


async def _with_own_rules(scan: Scan, directory: _Directory, entries: Sequence[FolderEntry]) -> _Directory:
    """The directory with the rules of its own ignore file."""
    own = next((entry for entry in entries if entry.name == ".gitignore" and entry.kind == "file"), None)
    if own is None:
        return directory
    path = directory.path / ".gitignore"
    try:
        data = await scan.folder.read(path) if own.size <= _MAX_IGNORE_BYTES else b""
    except (PathMissing, StorageError):
        return directory  # it is missed again, and reported, when it is to be copied
    lines = list(pattern_lines(data.decode(errors="replace")))
    if own.size > _MAX_IGNORE_BYTES or len(lines) > MAX_PATTERNS:
        scan.skip("rules", path)
    patterns = []
    for line in lines[:MAX_PATTERNS]:
        patterns.append(Pattern.parse(line))
        await scan.pace.step()
    own_rules = IgnoreFile(directory.path, [pattern for pattern in patterns if pattern is not None])
    return replace(directory, rules=[*directory.rules, own_rules])


def _look_at(scan: Scan, directory: _Directory, entry: FolderEntry) -> _Directory | None:
    """Take an entry in or leave it out; gives a directory that is to be walked, too."""
    try:
        path = directory.path / entry.name
    except InvalidPath:
        scan.skip("name", ascii(str(directory.path.child(entry.name))))
        return None
    is_out = directory.is_ignored or is_ignored(path, directory.rules, is_directory=entry.kind == "dir")
    is_taken = _take(scan, path, entry, is_out=is_out)
    return _Directory(path, directory.rules, is_out) if is_taken and entry.kind == "dir" else None


def _take(scan: Scan, path: WorkspacePath, entry: FolderEntry, *, is_out: bool) -> bool:
    """Take an entry in, or note why not."""
    is_known = path in scan.known
    reason = "ignored" if is_out and not is_known else _refusal(scan, path, entry)
    if reason is not None:
        scan.leave_out(reason, path, entry)
        return False
    scan.found[path] = entry
    if entry.kind == "dir":
        scan.directories += 1
    else:
        scan.files += 1
        scan.total_bytes += entry.size
    return True


def _refusal(scan: Scan, path: WorkspacePath, entry: FolderEntry) -> str | None:
    """What is known and has not grown is never refused for its size."""
    known, limits = scan.known.get(path), scan.limits
    if entry.kind == "special":
        return "special"
    if entry.kind == "symlink" and not is_possible_target(entry.target or ""):
        return "name"
    if known is None and (scan.directories if entry.kind == "dir" else scan.files) >= limits.max_files:
        return "too_many"
    if entry.kind != "file" or (known is not None and entry.size <= known.size):
        return None
    if entry.size > limits.max_file_bytes:
        return "too_large"
    return "too_much" if scan.total_bytes + entry.size > limits.max_total_bytes else None
