"""Import and commit, whatever the person and the session do."""

import asyncio
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from py_agent.core.changes import Change
from py_agent.core.events import WorkspaceCommit, WorkspaceImport
from py_agent.core.paths import WorkspacePath
from py_agent.hosts.cpython import LocalFolder
from py_agent.hosts.memory import MemoryFolder, memory_host
from py_agent.ports.folder import Folder
from py_agent.run.project import Project
from py_agent.run.session import Session
from py_agent.workspace.committing import choose
from tests.folders import FoldingFolder, Killed, MortalFolder, at, contents_of, do, do_in_folder, paths_of, put
from tests.workspace_model import Contents, Model, Operation, hashes, tree_hashes

NAMES = ("a", "b", "c")


def operations(*names: str) -> st.SearchStrategy[list[Operation]]:
    paths = st.lists(st.sampled_from(names), min_size=1, max_size=3).map("/".join)
    kinds = st.sampled_from(["write", "write", "make_dir", "delete", "move"])
    return st.lists(st.builds(Operation, kind=kinds, path=paths, data=st.binary(max_size=1), target=paths), max_size=7)


ANY = operations(*NAMES)


def contents_after(*steps: Operation) -> Contents:
    model = Model()
    for step in steps:
        model.can(step)
    return model.contents


async def opened(folder: Folder, before: list[Operation]) -> tuple[Session, Project]:
    """A session that has taken over a folder in which something was done before."""
    await put(folder, contents_after(*before))
    session, project = await Session.create(memory_host()), Project(folder)
    await project.take_over(session)
    return session, project


@contextmanager
def folders() -> Iterator[list[Folder]]:
    with tempfile.TemporaryDirectory() as directory:
        yield [MemoryFolder(), LocalFolder(Path(directory))]


@given(before=ANY)
def test_an_import_gives_the_tree_of_the_folder(before: list[Operation]) -> None:
    async def check(folder: Folder) -> None:
        session, _ = await opened(folder, before)
        assert tree_hashes(session.workspace.tree) == hashes(contents_after(*before))
        assert tree_hashes(session.workspace.base) == hashes(contents_after(*before))
        assert len(session.workspace.changes()) == 0

    with folders() as each:
        for folder in each:
            asyncio.run(check(folder))


@given(before=ANY, session_steps=ANY)
@example(before=[Operation("write", "a")], session_steps=[Operation("delete", "a"), Operation("write", "a/b")])
@example(before=[Operation("write", "a/b")], session_steps=[Operation("delete", "a"), Operation("write", "a")])
def test_a_commit_of_everything_makes_the_folder_the_workspace(
    before: list[Operation], session_steps: list[Operation]
) -> None:
    async def check(folder: Folder) -> None:
        session, project = await opened(folder, before)
        await do(session, *session_steps)
        event = await project.commit(session)
        assert event.conflicts == ()
        assert hashes(await contents_of(folder)) == tree_hashes(session.workspace.tree)
        assert len(session.workspace.changes()) == 0
        await project.take_over(session)
        assert await project.take_over(session) is None
        assert (await project.commit(session)).changes == ()

    with folders() as each:
        for folder in each:
            asyncio.run(check(folder))


@given(before=ANY, session_steps=ANY, data=st.data())
def test_a_commit_of_some_files_makes_exactly_those(
    before: list[Operation], session_steps: list[Operation], data: st.DataObject
) -> None:
    async def check() -> None:
        folder = MemoryFolder()
        session, project = await opened(folder, before)
        await do(session, *session_steps)
        paths = session.workspace.changes().files.paths
        chosen = data.draw(st.sets(st.sampled_from(paths))) if paths else set()
        changes = choose(session.workspace, chosen)
        expected = with_changes(hashes(contents_after(*before)), changes)
        event = await project.commit(session, chosen)
        assert event.conflicts == ()
        assert [change.path for change in event.changes] == [change.path for change in changes]
        assert hashes(await contents_of(folder)) == expected
        needed = {parent for path in chosen for parent in path.parents()}
        assert all(
            change.path in needed or any(change.path == path or change.path.is_below(path) for path in chosen)
            for change in changes
        )

    asyncio.run(check())


def with_changes(contents: dict[str, str | None], changes: list[Change]) -> dict[str, str | None]:
    result = dict(contents)
    for change in changes:
        result.pop(str(change.path), None)
        if change.after is not None:
            result[str(change.path)] = change.after.sha256
    return result


@given(before=operations("a", "b", "c", "d"), session_steps=operations("a", "b"), folder_steps=operations("c", "d"))
def test_edits_of_different_paths_never_conflict(
    before: list[Operation], session_steps: list[Operation], folder_steps: list[Operation]
) -> None:
    """The session works on paths whose first name is one of two, the person on the other two."""

    async def check() -> None:
        folder = MemoryFolder()
        session, project = await opened(folder, before)
        await do(session, *session_steps)
        for step in folder_steps:
            await do_in_folder(folder, step)
        ours = {path: sha256 for path, sha256 in tree_hashes(session.workspace.tree).items() if path[0] in "ab"}
        theirs = {path: sha256 for path, sha256 in hashes(await contents_of(folder)).items() if path[0] in "cd"}
        event = await project.take_over(session)
        assert event is None or event.conflicts == ()
        assert tree_hashes(session.workspace.tree) == ours | theirs
        assert (await project.commit(session)).conflicts == ()
        assert hashes(await contents_of(folder)) == ours | theirs

    asyncio.run(check())


@given(
    before=st.booleans(),
    ours=st.sampled_from([b"ours", None]),
    theirs=st.sampled_from([b"theirs", None]),
    path=st.sampled_from(["a", "d/a", "d/e/a"]),
)
def test_edits_of_one_path_always_conflict_unless_they_agree(
    *, before: bool, ours: bytes | None, theirs: bytes | None, path: str
) -> None:
    async def check() -> None:
        folder = MemoryFolder()
        session, project = await opened(folder, [Operation("write", path, b"old")] if before else [])
        await do(session, Operation("delete", path) if ours is None else Operation("write", path, ours))
        await do_in_folder(folder, Operation("delete", path) if theirs is None else Operation("write", path, theirs))
        kept = await contents_of(folder)
        event = await project.take_over(session)
        is_changed_twice = ours != theirs and (before or None not in (ours, theirs))
        assert paths_of(event.conflicts if event else ()) == ([path] if is_changed_twice else [])
        assert await project.take_over(session) is None
        committed = await project.commit(session)
        assert paths_of(committed.conflicts) == ([path] if is_changed_twice else [])
        if is_changed_twice:
            assert await contents_of(folder) == kept

    asyncio.run(check())


@given(before=ANY, session_steps=ANY, folder_steps=ANY)
@example(
    before=[Operation("write", "a")],
    session_steps=[Operation("write", "a", b"s")],
    folder_steps=[Operation("delete", "a"), Operation("write", "a/b")],
)
@example(
    before=[Operation("write", "a/b")],
    session_steps=[Operation("write", "a/c")],
    folder_steps=[Operation("delete", "a"), Operation("write", "a")],
)
@example(
    before=[Operation("write", "a/b")],
    session_steps=[Operation("delete", "a"), Operation("write", "a")],
    folder_steps=[Operation("write", "a/c")],
)
@example(
    before=[Operation("write", "a/b")],
    session_steps=[Operation("delete", "a")],
    folder_steps=[Operation("write", "a/c")],
)
@example(
    before=[Operation("write", "a/b")],
    session_steps=[Operation("write", "a/c")],
    folder_steps=[Operation("delete", "a")],
)
def test_whatever_both_sides_do_nothing_of_either_is_lost(
    before: list[Operation], session_steps: list[Operation], folder_steps: list[Operation]
) -> None:
    async def check() -> None:
        folder = MemoryFolder()
        session, project = await opened(folder, before)
        base = hashes(contents_after(*before))
        await do(session, *session_steps)
        for step in folder_steps:
            await do_in_folder(folder, step)
        ours, theirs = tree_hashes(session.workspace.tree), hashes(await contents_of(folder))
        event = await project.take_over(session)
        check_merge(base, ours, theirs, session, event)
        assert await project.take_over(session) is None
        await check_commit(theirs, session, folder, await project.commit(session))

    asyncio.run(check())


Hashes = dict[str, str | None]


def check_merge(base: Hashes, ours: Hashes, theirs: Hashes, session: Session, event: WorkspaceImport | None) -> None:
    """Away from conflicts, a file is the session's if the session changed it, and else the folder's."""
    merged = tree_hashes(session.workspace.tree)
    tree_hashes(session.workspace.base)
    conflicts = set(paths_of(event.conflicts if event else ()))
    for path in {*base, *ours, *theirs}:
        if is_near(path, conflicts) or None in (ours.get(path, ""), theirs.get(path, "")):
            continue
        is_ours = ours.get(path, "") != base.get(path, "")
        assert merged.get(path, "") == (ours if is_ours else theirs).get(path, ""), path
    for path in conflicts:
        assert (ours.get(path, ""), theirs.get(path, "")) != (base.get(path, ""), base.get(path, ""))


def is_near(path: str, conflicts: set[str]) -> bool:
    return any(f"{path}/".startswith(f"{other}/") or f"{other}/".startswith(f"{path}/") for other in conflicts)


async def check_commit(theirs: Hashes, session: Session, folder: Folder, event: WorkspaceCommit) -> None:
    """What is reported as written is there; what is in conflict is as the person left it."""
    now = hashes(await contents_of(folder))
    written = {str(change.path): change.after.sha256 if change.after else "" for change in event.changes}
    assert {path: now.get(path, "") for path in written} == written
    for path in {*theirs, *now} - written.keys():
        is_made_on_the_way = now.get(path, "") is None and path not in theirs
        assert now.get(path, "") == theirs.get(path, "") or is_made_on_the_way, path
    if not event.conflicts and not session.workspace.conflicts:
        assert now == tree_hashes(session.workspace.tree)


@settings(max_examples=50)
@given(before=ANY, session_steps=ANY)
@example(
    before=[Operation("write", "a/b"), Operation("write", "b")],
    session_steps=[
        Operation("delete", "a"),
        Operation("write", "a"),
        Operation("delete", "b"),
        Operation("write", "b/c"),
    ],
)
def test_a_commit_killed_at_any_write_can_be_repeated(before: list[Operation], session_steps: list[Operation]) -> None:
    async def check(left: int) -> bool:
        folder = MortalFolder()
        session, project = await opened(folder, before)
        await do(session, *session_steps)
        folder.left = left
        try:
            await project.commit(session)
        except Killed:
            folder.left = None
            event = await project.commit(session)
            assert event.conflicts == ()
            assert hashes(await contents_of(folder)) == tree_hashes(session.workspace.tree)
            return True
        return False

    left = 0
    while asyncio.run(check(left)):
        left += 1


@given(before=operations("a", "b"), session_steps=operations("a", "A", "b"))
def test_a_folder_that_does_not_tell_case_loses_nothing(
    before: list[Operation], session_steps: list[Operation]
) -> None:
    """Names that differ in case fall on one file there: what cannot be written beside another is a conflict."""

    async def check() -> None:
        folder = FoldingFolder()
        session, project = await opened(folder, before)
        await do(session, *session_steps)
        tree = tree_hashes(session.workspace.tree)
        event = await project.commit(session)
        there = hashes(await contents_of(folder))
        unwritten = {str(conflict.path) for conflict in event.conflicts}
        assert there == {path: sha256 for path, sha256 in tree.items() if path not in unwritten} | {
            path: there[path] for path in unwritten if path in there
        }
        if len({path.lower() for path in tree}) == len(tree):
            assert event.conflicts == ()
            assert there == tree

    asyncio.run(check())


@pytest.mark.parametrize(
    ("before", "after"),
    [("README", "readme"), ("Src/x", "src/x"), ("\u00e9t\u00e9", "e\u0301te\u0301"), ("D/E/f", "d/e/F")],
)
def test_a_change_of_case_or_of_accents_alone_is_committed(before: str, after: str) -> None:
    async def check() -> None:
        folder = FoldingFolder()
        session, project = await opened(folder, [Operation("write", before, b"x")])
        top = WorkspacePath(before).parts[0]
        await do(session, Operation("delete", top), Operation("write", after, b"x"))
        assert (await project.commit(session)).conflicts == ()
        assert hashes(await contents_of(folder)) == tree_hashes(session.workspace.tree)
        assert at(after) in session.workspace.tree
        await project.take_over(session)
        assert at(after) in session.workspace.tree
        assert WorkspacePath(before) not in session.workspace.tree

    asyncio.run(check())
