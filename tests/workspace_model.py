"""A workspace as simple as can be: a dict of paths, to compare the real one with."""

from dataclasses import dataclass, field
from random import Random
from typing import Literal

from py_agent.core.paths import WorkspacePath
from py_agent.core.trees import TreeEntry
from py_agent.errors import WorkspaceError
from py_agent.workspace.transaction import Transaction, hash_bytes
from py_agent.workspace.tree import TreeView

NAMES = ("a", "b", "c.txt", "A")
Contents = dict[str, bytes | None]


@dataclass(frozen=True)
class Operation:
    """`data` is what is written, `target` where something is moved."""

    kind: Literal["write", "make_dir", "delete", "move"]
    path: str
    data: bytes = b""
    target: str = ""


@dataclass
class Model:
    """Files by path, with their bytes; a directory has None."""

    contents: Contents = field(default_factory=dict)

    def can(self, operation: Operation) -> bool:
        """Do it, or give False and do nothing."""
        match operation.kind:
            case "write":
                return self._put(operation.path, {operation.path: operation.data}, is_new=False)
            case "make_dir":
                is_there = self.is_dir(operation.path)
                return is_there or self._put(operation.path, {operation.path: None}, is_new=True)
            case "delete":
                return bool(self._take(operation.path))
            case "move":
                return self._move(operation.path, operation.target)

    def is_dir(self, path: str) -> bool:
        return path in self.contents and self.contents[path] is None

    def _put(self, path: str, contents: Contents, *, is_new: bool) -> bool:
        parents = [str(parent) for parent in WorkspacePath(path).parents()]
        if any(parent in self.contents and not self.is_dir(parent) for parent in parents):
            return False
        if self.is_dir(path) or (is_new and path in self.contents):
            return False
        self.contents |= dict.fromkeys(parents) | contents
        return True

    def _take(self, path: str) -> Contents:
        taken = {at: data for at, data in self.contents.items() if f"{at}/".startswith(f"{path}/")}
        for at in taken:
            del self.contents[at]
        return taken

    def _move(self, path: str, target: str) -> bool:
        before = dict(self.contents)
        if f"{target}/".startswith(f"{path}/") or not (taken := self._take(path)):
            return False
        moved = {target + at[len(path) :]: data for at, data in taken.items()}
        self.contents = dict(before)
        if not self._put(target, moved, is_new=True):
            return False
        self._take(path)
        return True


def can_do(transaction: Transaction, operation: Operation) -> bool:
    """Do it in a real workspace; False if it is refused."""
    path = WorkspacePath(operation.path)
    try:
        match operation.kind:
            case "write":
                transaction.write(path, operation.data)
            case "make_dir":
                transaction.make_dir(path)
            case "delete":
                transaction.delete(path)
            case "move":
                transaction.move(path, WorkspacePath(operation.target))
    except WorkspaceError:
        return False
    return True


def random_operation(random: Random) -> Operation:
    kind = random.choice(("write", "write", "write", "make_dir", "delete", "move"))
    return Operation(kind, random_path(random), bytes(random.choices(b"xyz\n", k=3)), random_path(random))  # type: ignore[arg-type]


def random_path(random: Random) -> str:
    return "/".join(random.choices(NAMES, k=random.choice((1, 1, 2, 2, 3))))


def hashes(contents: Contents) -> dict[str, str | None]:
    return {path: None if data is None else hash_bytes(data) for path, data in contents.items()}


def tree_hashes(tree: TreeView) -> dict[str, str | None]:
    """A tree as `hashes` gives a model's contents, with a check that every directory above is there."""
    for path in tree:
        assert all(_is_dir(tree.get(parent)) for parent in path.parents()), path
        assert path.name in tree.names(path.parent)
    return {str(path): entry.sha256 for path, entry in tree.items()}


def _is_dir(entry: TreeEntry | None) -> bool:
    return entry is not None and entry.kind == "dir"
