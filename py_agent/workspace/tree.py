"""A tree of entries with an index of who lies in which directory."""

from abc import abstractmethod
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet

from py_agent.core.changes import Change
from py_agent.core.paths import ROOT, WorkspacePath
from py_agent.core.trees import DIRECTORY, TreeEntry, is_same_content
from py_agent.errors import InvalidPath, PathMissing, WrongKind
from py_agent.workspace.links import follow

_MAX_LINKS = 40
_NO_NAMES: frozenset[str] = frozenset()


class TreeView(Mapping[WorkspacePath, TreeEntry]):
    """A tree to read. Every directory above an entry is an entry too."""

    @abstractmethod
    def get(self, path: WorkspacePath, default: None = None) -> TreeEntry | None:  # type: ignore[override]
        """An entry, or None if there is none; `Mapping` would do the same by raising and catching."""

    def __contains__(self, path: object) -> bool:
        return isinstance(path, WorkspacePath) and self.get(path) is not None

    @abstractmethod
    def names(self, path: WorkspacePath) -> AbstractSet[str]:
        """The names in a directory; none if there is no such directory."""

    def children(self, path: WorkspacePath) -> list[WorkspacePath]:
        return [path.child(name) for name in sorted(self.names(path))]

    def below(self, path: WorkspacePath) -> Iterator[WorkspacePath]:
        """Everything in a directory, at any depth, each directory before what it holds."""
        waiting = self.children(path)[::-1]
        while waiting:
            found = waiting.pop()
            yield found
            waiting.extend(self.children(found)[::-1])

    def find(self, path: WorkspacePath) -> TreeEntry:
        """The entry of a path without links; the root is a directory."""
        entry = DIRECTORY if path == ROOT else self.get(path)
        if entry is None:
            raise PathMissing(f"There is no {path!r} in the workspace.")
        return entry

    def resolve(self, path: WorkspacePath, *, follow_last: bool = True) -> WorkspacePath:
        """Where a path leads once its symlinks are followed, be it there or not."""
        done, rest, links = ROOT, path.parts[::-1], 0
        while rest:
            name = rest.pop()
            if name == "..":
                if done == ROOT:
                    raise InvalidPath(f"A symlink on the way to {path!r} leads out of the workspace.")
                done = done.parent
                continue
            step = done / name
            entry = self.get(step)
            if entry is None or entry.kind != "symlink" or (not rest and not follow_last):
                if rest and entry is not None and entry.kind == "file":
                    raise WrongKind(f"{step!r} is a file, not a directory.")
                done = step
                continue
            links += 1
            if links > _MAX_LINKS:
                raise InvalidPath(f"Too many symlinks on the way to {path!r}; do they lead in a circle?")
            done, parts = follow(done, step, entry.target or "")
            rest.extend(reversed(parts))
        return done


class Tree(TreeView):
    def __init__(self, entries: Mapping[WorkspacePath, TreeEntry] | None = None) -> None:
        self._entries: dict[WorkspacePath, TreeEntry] = {}
        self._names: defaultdict[str, set[str]] = defaultdict(set)
        for path, entry in (entries or {}).items():
            self.put(path, entry)

    def __getitem__(self, path: WorkspacePath) -> TreeEntry:
        return self._entries[path]

    def get(self, path: WorkspacePath, default: None = None) -> TreeEntry | None:  # type: ignore[override]
        return self._entries.get(path, default)

    def __iter__(self) -> Iterator[WorkspacePath]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def names(self, path: WorkspacePath) -> AbstractSet[str]:
        return self._names.get(path, _NO_NAMES)

    def put(self, path: WorkspacePath, entry: TreeEntry) -> None:
        self._entries[path] = entry
        parent, _, name = path.rpartition("/")
        self._names[parent].add(name)

    def drop(self, path: WorkspacePath) -> None:
        if self._entries.pop(path, None) is not None:
            parent, _, name = path.rpartition("/")
            self._names[parent].discard(name)

    def apply(self, changes: Iterable[Change]) -> None:
        for change in changes:
            if change.after is None:
                self.drop(change.path)
            else:
                self.put(change.path, change.after)


class Overlay(TreeView):
    """A tree with changes on top, while the one below stays as it is."""

    def __init__(self, under: TreeView) -> None:
        self._under = under
        self._changed: dict[WorkspacePath, TreeEntry | None] = {}
        self._names: dict[WorkspacePath, set[str]] = {}

    def __getitem__(self, path: WorkspacePath) -> TreeEntry:
        entry = self.get(path)
        if entry is None:
            raise KeyError(path)
        return entry

    def get(self, path: WorkspacePath, default: None = None) -> TreeEntry | None:  # type: ignore[override]
        return self._changed[path] if path in self._changed else self._under.get(path, default)

    def __iter__(self) -> Iterator[WorkspacePath]:
        yield from (path for path in self._under if path not in self._changed)
        yield from (path for path, entry in self._changed.items() if entry is not None)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def names(self, path: WorkspacePath) -> AbstractSet[str]:
        return self._names[path] if path in self._names else self._under.names(path)

    def put(self, path: WorkspacePath, entry: TreeEntry) -> None:
        self._changed[path] = entry
        self._own_names(path.parent).add(path.name)

    def drop(self, path: WorkspacePath) -> None:
        self._changed[path] = None
        self._own_names(path.parent).discard(path.name)

    def changes(self) -> list[Change]:
        """What differs from the tree below, sorted by path; what came back to its old state does not."""
        pairs = ((path, self._under.get(path), after) for path, after in sorted(self._changed.items()))
        return [
            Change(path=path, before=before, after=after)
            for path, before, after in pairs
            if not is_same_content(before, after)
        ]

    def _own_names(self, path: WorkspacePath) -> set[str]:
        if path not in self._names:
            self._names[path] = set(self._under.names(path))
        return self._names[path]
