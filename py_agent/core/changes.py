"""Changes of the workspace, and sets of them."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from pydantic import BaseModel, ConfigDict

from py_agent.core.paths import WorkspacePath
from py_agent.core.trees import TreeEntry, is_same_content


class Change(BaseModel):
    """One path's entry before and after; None is absence."""

    model_config = ConfigDict(frozen=True)

    path: WorkspacePath
    before: TreeEntry | None = None
    after: TreeEntry | None = None

    @property
    def is_directory(self) -> bool:
        return all(entry is None or entry.kind == "dir" for entry in (self.before, self.after))

    @property
    def kind(self) -> Literal["add", "delete", "modify"]:
        if self.before is None:
            return "add"
        return "delete" if self.after is None else "modify"


class ChangeSet(BaseModel):
    """How one tree differs from another, each list sorted by path."""

    model_config = ConfigDict(frozen=True)

    adds: tuple[Change, ...] = ()
    modifies: tuple[Change, ...] = ()
    deletes: tuple[Change, ...] = ()

    def __len__(self) -> int:
        return len(self.adds) + len(self.modifies) + len(self.deletes)

    def __iter__(self) -> Iterator[Change]:  # type: ignore[override]
        """All changes, sorted by path."""
        return iter(sorted((*self.adds, *self.modifies, *self.deletes), key=lambda change: change.path))

    @property
    def files(self) -> "ChangeSet":
        """The same without directories, which people do not count."""
        lists = (self.adds, self.modifies, self.deletes)
        adds, modifies, deletes = (tuple(change for change in changes if not change.is_directory) for changes in lists)
        return ChangeSet(adds=adds, modifies=modifies, deletes=deletes)

    @property
    def paths(self) -> list[WorkspacePath]:
        return [change.path for change in self]


def compute_change_set(
    base: Mapping[WorkspacePath, TreeEntry],
    current: Mapping[WorkspacePath, TreeEntry],
    among: Iterable[WorkspacePath] | None = None,
) -> ChangeSet:
    """Compare two trees, or only some of their paths. A directory counts only where it is new or gone, times never."""
    adds, modifies, deletes = [], [], []
    for path in sorted({*base, *current} if among is None else among):
        before, after = base.get(path), current.get(path)
        if is_same_content(before, after):
            continue
        if before is None:
            adds.append(Change(path=path, after=after))
        elif after is None:
            deletes.append(Change(path=path, before=before))
        else:
            modifies.append(Change(path=path, before=before, after=after))
    return ChangeSet(adds=tuple(adds), modifies=tuple(modifies), deletes=tuple(deletes))
