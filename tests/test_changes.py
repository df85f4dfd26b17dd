"""Change sets: they are exactly the way from one tree to another."""

import random

from hypothesis import given
from hypothesis import strategies as st

from py_agent.core.changes import Change, compute_change_set
from py_agent.core.events import WorkspaceChanged, WorkspaceCommit, WorkspaceImport
from py_agent.core.paths import WorkspacePath
from py_agent.core.trees import DIRECTORY, TreeEntry, is_same_content
from py_agent.hosts.memory import MemoryStorage, StepClock
from py_agent.workspace.tree import Tree
from py_agent.workspace.workspace import Workspace

ENTRIES = st.one_of(
    st.just(DIRECTORY),
    st.builds(
        TreeEntry,
        kind=st.just("file"),
        sha256=st.sampled_from(["0" * 64, "1" * 64]),
        mtime_ns=st.integers(0, 3),
        executable=st.booleans(),
    ),
    st.builds(TreeEntry, kind=st.just("symlink"), target=st.sampled_from(["x", "y"])),
)
PATHS = st.sampled_from([WorkspacePath(text) for text in ("a", "a/b", "a/b/c", "a-b", "B", "b", "é", "z/y")])
TREES = st.dictionaries(PATHS, ENTRIES, max_size=8)


@given(base=TREES, current=TREES)
def test_a_change_set_leads_from_one_tree_to_the_other(
    base: dict[WorkspacePath, TreeEntry], current: dict[WorkspacePath, TreeEntry]
) -> None:
    changes = compute_change_set(base, current)
    reached = Tree(base)
    reached.apply(changes)
    assert reached.keys() == current.keys()
    assert all(is_same_content(reached[path], current[path]) for path in current)
    assert len(compute_change_set(reached, current)) == 0


@given(base=TREES, current=TREES)
def test_adds_modifies_and_deletes_are_each_sorted_and_say_what_was_before(
    base: dict[WorkspacePath, TreeEntry], current: dict[WorkspacePath, TreeEntry]
) -> None:
    changes = compute_change_set(base, current)
    for kind, part in (("add", changes.adds), ("modify", changes.modifies), ("delete", changes.deletes)):
        assert [change.path for change in part] == sorted(change.path for change in part)
        assert {change.kind for change in part} <= {kind}
        for change in part:
            assert (change.before, change.after) == (base.get(change.path), current.get(change.path))
    assert changes.paths == sorted(changes.paths)
    assert len(changes) == len(changes.paths)


def test_times_do_not_count_and_directories_are_not_counted_as_files() -> None:
    old = TreeEntry(kind="file", sha256="0" * 64, mtime_ns=1)
    base = {WorkspacePath("a"): old, WorkspacePath("gone"): DIRECTORY}
    current = {WorkspacePath("a"): old.model_copy(update={"mtime_ns": 2}), WorkspacePath("new"): DIRECTORY}
    changes = compute_change_set(base, current)
    assert changes.paths == ["gone", "new"]
    assert len(changes.files) == 0


def test_a_file_that_becomes_a_directory_counts_as_a_file() -> None:
    file = TreeEntry(kind="file", sha256="0" * 64)
    path = WorkspacePath("a")
    assert len(compute_change_set({path: file}, {path: DIRECTORY}).files.modifies) == 1


@given(steps=st.lists(st.tuples(st.sampled_from(["changed", "import", "settled", "commit"]), TREES), max_size=8))
def test_a_workspace_keeps_count_of_its_changes_whatever_happens(
    steps: list[tuple[str, dict[WorkspacePath, TreeEntry]]],
) -> None:
    workspace = Workspace(MemoryStorage().blobs, StepClock())
    pick = random.Random(len(steps))
    for kind, tree in steps:
        changes = tuple(Change(path=path, after=pick.choice([entry, None])) for path, entry in tree.items())
        match kind:
            case "changed":
                workspace.add(WorkspaceChanged(origin="tool", changes=changes))
            case "import":
                workspace.add(WorkspaceImport(source="x", changes=changes))
            case "settled":
                workspace.add(WorkspaceImport(source="x", settled=changes))
            case "commit":
                workspace.add(WorkspaceCommit(target="x", changes=changes))
        assert workspace.changes() == compute_change_set(workspace.base, workspace.tree)
