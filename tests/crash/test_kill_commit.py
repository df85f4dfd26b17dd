"""A process killed at each write of a commit to a person's folder, or of an import from it."""

import asyncio
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from py_agent.log.store import SessionStore
from py_agent.run.project import Project
from py_agent.run.session import Session
from tests.crash.children import Children
from tests.crash.errand import Entries, begin, check_agreement, check_between, commit, entries, fill
from tests.crash.moments import Moment, moments
from tests.crash.notes import telling
from tests.crash.scenes import fixed_host, folder_of
from tests.crash.system import Plan, watched

STEP = 5


@dataclass(frozen=True, slots=True)
class Errand:
    """A folder with a session that has changes for it, and the folder before and after their commit."""

    root: Path
    before: Entries
    after: Entries
    calls: list[str]


@pytest.fixture(scope="module")
def prepared(children: Children, tmp_path_factory: pytest.TempPathFactory) -> Errand:
    root = tmp_path_factory.mktemp("prepared")
    (root / "project").mkdir()
    (root / "project/link").symlink_to("gone.txt")
    asyncio.run(fill(folder_of(root)))
    asyncio.run(begin(fixed_host(root), folder_of(root), has_links=True))
    with copied(root) as other:
        calls = children.run("commit", other).calls
        after = asyncio.run(entries(folder_of(other)))
    return Errand(root, asyncio.run(entries(folder_of(root))), after, calls)


def test_a_commit_that_was_killed_leaves_whole_files_and_can_be_repeated(children: Children, prepared: Errand) -> None:
    kill_commits(children, prepared, moments(prepared.calls)[::STEP])


@pytest.mark.slow
def test_a_commit_killed_at_any_write_leaves_whole_files_and_can_be_repeated(
    children: Children, prepared: Errand
) -> None:
    kill_commits(children, prepared, moments(prepared.calls))


def test_an_import_that_was_killed_is_made_whole_by_the_next(children: Children, prepared: Errand) -> None:
    kill_imports(children, prepared, step=STEP)


@pytest.mark.slow
def test_an_import_killed_at_any_write_is_made_whole_by_the_next(children: Children, prepared: Errand) -> None:
    kill_imports(children, prepared, step=1)


def kill_commits(children: Children, prepared: Errand, kills: Sequence[Moment]) -> None:
    for moment in kills:
        with telling(f"{moment}"), copied(prepared.root) as root, watched(Plan()):
            assert children.run("commit", root, moment).was_killed
            asyncio.run(finish_commit(root, prepared, is_run_first=moment.at % 2 == 0))


async def finish_commit(root: Path, prepared: Errand, *, is_run_first: bool) -> None:
    folder, host = folder_of(root), fixed_host(root, is_later=True)
    check_between(await entries(folder), prepared.before, prepared.after)
    [session_id] = await SessionStore(host).list()
    if is_run_first:
        session = await Session.open(host, session_id)
        await Project(folder).take_over(session)
        assert not session.workspace.conflicts
        await session.close()
    assert not (await commit(host, folder, session_id)).conflicts
    assert await entries(folder) == prepared.after
    await check_agreement(host, folder, session_id)


def kill_imports(children: Children, prepared: Errand, *, step: int) -> None:
    with TemporaryDirectory() as root:
        shutil.copytree(prepared.root / "project", Path(root, "project"), symlinks=True)
        calls = children.run("take_over", Path(root)).calls
    for moment in moments(calls)[::step]:
        with telling(f"{moment}"), TemporaryDirectory() as root, watched(Plan()):
            shutil.copytree(prepared.root / "project", Path(root, "project"), symlinks=True)
            assert children.run("take_over", Path(root), moment).was_killed
            asyncio.run(finish_import(Path(root), prepared))


async def finish_import(root: Path, prepared: Errand) -> None:
    folder, host = folder_of(root), fixed_host(root, is_later=True)
    store = SessionStore(host)
    session_id = next(iter(await store.list()), None) or await store.create()
    session = await Session.open(host, session_id)
    await Project(folder).take_over(session)
    for path, entry in session.workspace.tree.items():
        if entry.kind == "file":
            assert await session.workspace.read(path) == await folder.read(path)
    await session.close()
    assert await entries(folder) == prepared.before
    await check_agreement(host, folder, session_id)


@contextmanager
def copied(root: Path) -> Iterator[Path]:
    with TemporaryDirectory() as other:
        for name in ("state", "project"):
            shutil.copytree(root / name, Path(other, name), symlinks=True)
        yield Path(other)
