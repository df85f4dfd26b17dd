"""Trees: transactions against a simple model, and where symlinks lead."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from py_agent.core.paths import ROOT, WorkspacePath
from py_agent.core.trees import DIRECTORY, TreeEntry
from py_agent.errors import InvalidPath, PathExists, PathMissing, WrongKind
from py_agent.hosts.memory import MemoryStorage, StepClock
from py_agent.workspace.links import leads_out
from py_agent.workspace.transaction import Transaction
from py_agent.workspace.tree import Overlay, Tree
from tests.workspace_model import NAMES, Contents, Model, Operation, can_do, hashes, tree_hashes

PATHS = st.lists(st.sampled_from(NAMES), min_size=1, max_size=3).map("/".join)
OPERATIONS = st.builds(
    Operation,
    kind=st.sampled_from(["write", "make_dir", "delete", "move"]),
    path=PATHS,
    data=st.binary(max_size=2),
    target=PATHS,
)


def begin(tree: Tree) -> Transaction:
    return Transaction(tree, MemoryStorage().blobs, StepClock())


def tree_of(*operations: Operation) -> Tree:
    tree = Tree()
    transaction = begin(tree)
    for operation in operations:
        can_do(transaction, operation)
    tree.apply(transaction.changes())
    return tree


def path(text: str) -> WorkspacePath:
    return WorkspacePath(text)


@given(before=st.lists(OPERATIONS, max_size=8), operations=st.lists(OPERATIONS, max_size=12))
def test_any_operations_do_what_a_dict_of_paths_would(before: list[Operation], operations: list[Operation]) -> None:
    model, tree = Model(), tree_of(*before)
    for operation in before:
        model.can(operation)
    transaction = begin(tree)
    kept = dict(tree)
    for operation in operations:
        assert can_do(transaction, operation) == model.can(operation), operation
        assert tree_hashes(transaction._overlay) == hashes(model.contents)
        assert len(transaction._overlay) == len(model.contents)
    assert dict(tree) == kept
    changes = transaction.changes()
    assert [change.path for change in changes] == sorted(change.path for change in changes)
    tree.apply(changes)
    assert tree_hashes(tree) == hashes(model.contents)
    assert all(names(model.contents, directory) == tree.names(directory) for directory in ["", *tree])


def names(contents: Contents, directory: str) -> set[str]:
    start = f"{directory}/" if directory else ""
    return {path[len(start) :].split("/")[0] for path in contents if path.startswith(start) and path != directory}


def test_what_came_back_to_its_old_state_is_no_change() -> None:
    transaction = begin(tree_of(Operation("write", "d/a", b"x")))
    for operation in (Operation("move", "d", target="e"), Operation("write", "e/a", b"y"), Operation("write", "e/b")):
        assert can_do(transaction, operation)
    for operation in (Operation("delete", "e/b"), Operation("write", "e/a", b"x"), Operation("move", "e", target="d")):
        assert can_do(transaction, operation)
    assert transaction.changes() == []


def test_all_below_a_directory_comes_after_it() -> None:
    tree = tree_of(*[Operation("write", text) for text in ("d/b/c", "d/a", "d/b/a", "d-e")])
    assert list(tree.below(path("d"))) == ["d/a", "d/b", "d/b/a", "d/b/c"]
    assert list(tree.below(ROOT)) == ["d", "d/a", "d/b", "d/b/a", "d/b/c", "d-e"]


LINKS = {
    "file": "real/a",
    "dir": "real",
    "up": "real/../real",
    "dot": ".",
    "real/back": "..",
    "real/out": "../..",
    "dot_out": "dot/../x",
    "absolute": "/etc/passwd",
    "mounted": "/workspace/real",
    "mounted_out": "/workspace/../etc",
    "beside": "/workspace-evil/x",
    "loop": "loop",
    "ping": "pong",
    "pong": "ping/x",
    "nowhere": "none/x",
    "through": "real/a/x",
    "long": "x" * 300,
}


def linked_tree() -> Tree:
    tree = tree_of(Operation("write", "real/a", b"x"), Operation("write", "x", b"y"))
    for link, target in LINKS.items():
        tree.put(path(link), TreeEntry(kind="symlink", target=target))
    return tree


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("file", "real/a"),
        ("dir/a", "real/a"),
        ("up/a", "real/a"),
        ("dot/dot/dir/a", "real/a"),
        ("real/back/real/back/file", "real/a"),
        ("mounted/a", "real/a"),
        ("dot", ""),
        ("nowhere", "none/x"),
        ("dir/new", "real/new"),
    ],
)
def test_a_link_is_followed_inside(text: str, end: str) -> None:
    assert linked_tree().resolve(path(text)) == end


@pytest.mark.parametrize(
    "text",
    ["real/out", "real/out/x", "dot_out", "absolute", "mounted_out", "beside", "loop", "ping", "long"],
)
def test_a_link_that_leads_out_or_in_a_circle_is_refused(text: str) -> None:
    with pytest.raises(InvalidPath):
        linked_tree().resolve(path(text))


def test_a_link_through_a_file_is_refused() -> None:
    with pytest.raises(WrongKind):
        linked_tree().resolve(path("through"))


def test_forty_links_are_followed_and_no_more() -> None:
    tree = tree_of(Operation("write", "0", b"x"))
    for number in range(1, 42):
        tree.put(path(str(number)), TreeEntry(kind="symlink", target=str(number - 1)))
    assert tree.resolve(path("40")) == "0"
    with pytest.raises(InvalidPath, match="circle"):
        tree.resolve(path("41"))


def test_a_link_itself_is_deleted_and_moved_not_what_it_leads_to() -> None:
    transaction = begin(linked_tree())
    transaction.delete(path("file"))
    transaction.move(path("dir"), path("other"))
    assert transaction.exists(path("real/a"))
    assert not transaction.exists(path("file"))
    assert transaction.exists(path("other/a"))
    transaction.delete(path("absolute"))


async def test_writing_through_a_link_changes_what_it_leads_to() -> None:
    transaction = begin(linked_tree())
    transaction.write(path("file"), b"new")
    transaction.write(path("dir/sub/b"), b"b")
    assert [str(change.path) for change in transaction.changes()] == ["real/a", "real/sub", "real/sub/b"]
    assert await transaction.read(path("real/a")) == b"new"
    for outside in ("absolute", "real/out/x", "dot_out"):
        with pytest.raises(InvalidPath):
            transaction.write(path(outside), b"never")


@pytest.mark.parametrize(
    ("link", "target", "kept"),
    [("l", "/workspace/real/a", "real/a"), ("d/e/l", "/workspace/a", "../../a"), ("d/l", "/workspace", "..")],
)
def test_a_target_in_the_workspace_is_written_as_a_real_folder_can_hold_it(link: str, target: str, kept: str) -> None:
    transaction = begin(Tree())
    transaction.link(path(link), target)
    assert transaction._overlay[path(link)].target == kept


@pytest.mark.parametrize("target", ["", "a\0b", "x" * 4096, "\ud800"])
def test_a_target_that_no_folder_can_hold_is_refused(target: str) -> None:
    transaction = begin(Tree())
    with pytest.raises(InvalidPath):
        transaction.link(path("d/l"), target)
    assert transaction.changes() == []


@pytest.mark.parametrize(
    ("link", "target", "is_out"),
    [
        ("l", "a/b", False),
        ("d/l", "../a", False),
        ("d/e/l", "../../a", False),
        ("l", "../a", True),
        ("d/l", "../../a", True),
        ("l", "/a", True),
        ("l", "/workspace/a", True),
        ("l", "a/../b", True),
        ("l", ".", False),
        ("l", "./a//b", False),
    ],
)
def test_which_targets_could_lead_out(link: str, target: str, *, is_out: bool) -> None:
    assert leads_out(path(link), target) is is_out


def test_refusals_say_what_is_wrong() -> None:
    transaction = begin(tree_of(Operation("write", "d/a", b"x")))
    for error, act in (
        (WrongKind, lambda: transaction.write(path("d"), b"")),
        (WrongKind, lambda: transaction.write(path("d/a/b"), b"")),
        (WrongKind, lambda: transaction.write(ROOT, b"")),
        (WrongKind, lambda: transaction.make_dir(path("d/a"))),
        (WrongKind, lambda: transaction.delete(ROOT)),
        (WrongKind, lambda: transaction.move(path("d"), path("d/e"))),
        (PathExists, lambda: transaction.move(path("d/a"), path("d"))),
        (PathExists, lambda: transaction.move(path("d"), path("d"))),
        (PathExists, lambda: transaction.link(path("d"), "x")),
        (PathMissing, lambda: transaction.delete(path("none"))),
        (PathMissing, lambda: transaction.move(path("none"), path("x/y"))),
        (PathMissing, lambda: transaction.stat(path("none"))),
        (WrongKind, lambda: transaction.list(path("d/a"))),
    ):
        with pytest.raises(error):
            act()
    assert transaction.changes() == []


def test_a_move_to_a_path_that_is_too_long_changes_nothing() -> None:
    deep = "/".join(["d" * 250] * 15)
    transaction = begin(tree_of(Operation("write", f"top/{'e' * 250}/a", b"x")))
    with pytest.raises(InvalidPath):
        transaction.move(path("top"), path(f"{deep}/{'f' * 200}"))
    assert transaction.changes() == []


def test_an_overlay_hides_what_it_drops_and_shows_what_it_adds() -> None:
    under = tree_of(Operation("write", "d/a", b"x"), Operation("write", "d/b", b"y"))
    overlay = Overlay(under)
    overlay.drop(path("d/a"))
    overlay.put(path("d/c"), DIRECTORY)
    assert sorted(overlay) == ["d", "d/b", "d/c"]
    assert overlay.names(path("d")) == {"b", "c"}
    assert path("d/a") not in overlay
    with pytest.raises(KeyError):
        overlay[path("d/a")]
    assert under.names(path("d")) == {"a", "b"}
