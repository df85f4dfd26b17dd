"""A folder on a real disk: links, permissions, special files, odd names, and others who write to it."""

import os
import shutil
import stat
from pathlib import Path

import pytest

from py_agent.core.paths import ROOT, WorkspacePath
from py_agent.errors import PathExists, PathMissing, StorageFailed, WrongKind
from py_agent.hosts.cpython import LocalFolder
from py_agent.hosts.memory import memory_host
from py_agent.run.project import Project
from py_agent.run.session import Session
from tests.folders import at, do, keep, paths_of, write


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


async def opened(root: Path) -> tuple[Session, Project]:
    session, project = await Session.create(memory_host()), Project(LocalFolder(root))
    await project.take_over(session)
    return session, project


async def test_links_are_copied_as_links_whatever_they_lead_to(root: Path) -> None:
    (root.parent / "secret").write_text("secret")
    (root / "a").write_text("a")
    for name, target in {"in": "a", "out": "../secret", "abs": "/etc/passwd", "nowhere": "x/y", "loop": "loop"}.items():
        (root / name).symlink_to(target)
    (root / "d").mkdir()
    (root / "d/up").symlink_to("..")
    session, _ = await opened(root)
    tree = session.workspace.tree
    assert {str(path): entry.target for path, entry in tree.items() if entry.kind == "symlink"} == {
        "in": "a",
        "out": "../secret",
        "abs": "/etc/passwd",
        "nowhere": "x/y",
        "loop": "loop",
        "d/up": "..",
    }
    assert await session.workspace.read(at("d/up/d/up/in")) == b"a"
    assert not await session.host.storage.blobs.has("2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b")


async def test_hard_links_become_copies(root: Path) -> None:
    outside = root.parent / "outside"
    outside.write_text("old")
    os.link(outside, root / "a")
    session, project = await opened(root)
    assert await session.workspace.read(at("a")) == b"old"
    await do(session, write("a", b"new"))
    assert (await project.commit(session)).conflicts == ()
    assert ((root / "a").read_text(), outside.read_text()) == ("new", "old")


def make_odd_entries(root: Path) -> None:
    os.mkfifo(root / "pipe")
    os.mknod(root / "socket", stat.S_IFSOCK | 0o600)
    (root / os.fsdecode(b"bad\xff")).write_text("x")
    (root / os.fsdecode(b"bad\xfe")).mkdir()
    (root / "link").symlink_to(os.fsdecode(b"to\xff"))
    (root / "good").write_text("x")


async def test_pipes_sockets_and_odd_names_are_left_out_and_told(root: Path) -> None:
    make_odd_entries(root)
    session, _ = await opened(root)
    assert sorted(session.workspace.tree) == ["good"]
    assert {each.reason: (each.count, each.examples) for each in session.workspace.skipped} == {
        "name": (3, (r"'bad\udcfe'", r"'bad\udcff'", "link")),
        "special": (2, ("pipe", "socket")),
    }


async def test_reading_a_pipe_does_not_wait(root: Path) -> None:
    os.mkfifo(root / "pipe")
    with pytest.raises(PathMissing):
        await LocalFolder(root).read(at("pipe"))


@pytest.mark.parametrize(
    ("mode", "executable", "expected"),
    [
        (0o644, False, 0o644),
        (0o600, False, 0o600),
        (0o600, True, 0o700),
        (0o744, True, 0o744),
        (0o755, False, 0o644),
        (0o640, True, 0o750),
        (0o444, False, 0o444),
        (0o4755, True, 0o755),
    ],
)
async def test_permissions_are_kept_but_for_what_the_session_says(
    root: Path, mode: int, executable: bool, expected: int
) -> None:
    (root / "a").write_text("old")
    (root / "a").chmod(mode)
    session, project = await opened(root)
    async with session.workspace.transaction() as transaction:
        transaction.write(at("a"), b"new", executable=executable)
        await keep(session, transaction)
    assert (await project.commit(session)).conflicts == ()
    assert stat.S_IMODE((root / "a").stat().st_mode) == expected
    assert (root / "a").read_text() == "new"


async def test_a_change_of_the_executable_bit_alone_is_taken_over_and_committed(root: Path) -> None:
    (root / "a").write_text("x")
    session, project = await opened(root)
    (root / "a").chmod(0o755)
    await project.take_over(session)
    assert session.workspace.tree[at("a")].executable
    async with session.workspace.transaction() as transaction:
        transaction.write(at("a"), b"x", executable=False)
        await keep(session, transaction)
    assert session.workspace.changes().paths == ["a"]
    assert (await project.commit(session)).conflicts == ()
    assert stat.S_IMODE((root / "a").stat().st_mode) & 0o111 == 0


async def test_a_file_whose_time_and_size_stay_is_found_changed_if_it_was_young(root: Path) -> None:
    file = root / "a"
    file.write_text("old")
    session, project = await opened(root)
    before = file.stat()
    file.write_text("new")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    await project.take_over(session)
    assert await session.workspace.read(at("a")) == b"new"


async def test_a_file_put_back_with_its_old_time_ends_the_conflict(root: Path) -> None:
    file = root / "a"
    file.write_text("old")
    os.utime(file, ns=(10**18, 10**18))
    session, project = await opened(root)
    await do(session, write("a", b"session"))
    file.write_text("folder")
    await project.take_over(session)
    assert list(session.workspace.conflicts) == ["a"]
    file.write_text("old")
    os.utime(file, ns=(10**18, 10**18))
    await project.take_over(session)
    assert session.workspace.conflicts == {}


@pytest.mark.parametrize("kind", ["file", "dir", "link"])
@pytest.mark.parametrize("new_kind", ["file", "dir", "link", "nothing"])
async def test_every_change_of_kind_in_the_folder_is_taken_over(root: Path, kind: str, new_kind: str) -> None:
    make(root / "a", kind, "1")
    session, project = await opened(root)
    if kind == "dir":
        (root / "a/x").unlink()
        (root / "a").rmdir()
    else:
        (root / "a").unlink()
    make(root / "a", new_kind, "2")
    event = await project.take_over(session)
    assert event is not None
    assert event.conflicts == ()
    fresh, _ = await opened(root)
    assert kinds(session) == kinds(fresh)


@pytest.mark.parametrize("kind", ["file", "dir", "link"])
@pytest.mark.parametrize("new_kind", ["file", "dir", "link", "nothing"])
async def test_every_change_of_kind_in_the_session_is_committed(root: Path, kind: str, new_kind: str) -> None:
    make(root / "a", kind, "1")
    session, project = await opened(root)
    async with session.workspace.transaction() as transaction:
        transaction.delete(at("a"))
        match new_kind:
            case "file":
                transaction.write(at("a"), b"2")
            case "dir":
                transaction.write(at("a/x"), b"2")
            case "link":
                transaction.link(at("a"), "2")
        await keep(session, transaction)
    assert (await project.commit(session)).conflicts == ()
    fresh, _ = await opened(root)
    assert kinds(session) == kinds(fresh)


def make(path: Path, kind: str, text: str) -> None:
    match kind:
        case "file":
            path.write_text(text)
        case "dir":
            path.mkdir()
            (path / "x").write_text(text)
        case "link":
            path.symlink_to(text)


def kinds(session: Session) -> dict[WorkspacePath, tuple[str, str | None, str | None]]:
    return {path: (entry.kind, entry.sha256, entry.target) for path, entry in session.workspace.tree.items()}


async def test_nothing_is_written_through_a_link_put_there_later(root: Path) -> None:
    outside = root.parent / "outside"
    outside.mkdir()
    (outside / "a").write_text("safe")
    (root / "d").mkdir()
    (root / "d/a").write_text("old")
    session, project = await opened(root)
    await do(session, write("d/a", b"new"), write("d/b", b"new"), write("e/f/g", b"new"))
    (root / "d/a").unlink()
    (root / "d").rmdir()
    (root / "d").symlink_to(outside)
    (root / "e").symlink_to(outside)
    event = await project.commit(session)
    assert paths_of(event.conflicts) == ["d/a", "d/b", "e", "e/f", "e/f/g"]
    assert sorted(path.name for path in outside.iterdir()) == ["a"]
    assert (outside / "a").read_text() == "safe"


async def test_the_root_itself_may_be_a_link(root: Path) -> None:
    (root / "a").write_text("x")
    (root.parent / "alias").symlink_to(root)
    session, _ = await opened(root.parent / "alias")
    assert sorted(session.workspace.tree) == ["a"]


async def test_a_failed_write_leaves_nothing_behind(root: Path) -> None:
    folder = LocalFolder(root)
    (root / "d").mkdir()
    (root / "d/x").write_text("x")
    with pytest.raises(WrongKind):
        await folder.write(at("d"), b"new")
    with pytest.raises(WrongKind):
        await folder.link(at("d"), "x")
    with pytest.raises(PathExists):
        await folder.write(at("d/x"), b"new", seen=None)
    assert sorted(os.listdir(root)) == ["d"]
    assert sorted(os.listdir(root / "d")) == ["x"]


async def test_a_file_that_never_rests_is_not_taken_half_written(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = root / "log"
    file.write_bytes(b"x" * 100)
    read = os.read
    changes_left = 2

    def read_and_append(descriptor: int, size: int) -> bytes:
        nonlocal changes_left
        data = read(descriptor, size)
        if data and changes_left:
            changes_left -= 1
            with file.open("ab") as log:
                log.write(b"more")
        return data

    monkeypatch.setattr(os, "read", read_and_append)
    assert await LocalFolder(root).read(at("log")) == b"x" * 100 + b"more" * 2
    changes_left = 100
    with pytest.raises(StorageFailed, match="when it rests"):
        await LocalFolder(root).read(at("log"))


async def test_a_folder_that_was_removed_says_so(root: Path) -> None:
    (root / "a").write_text("x")
    session, project = await opened(root)
    shutil.rmtree(root)
    with pytest.raises(PathMissing, match="moved or removed"):
        await project.take_over(session)
    with pytest.raises(PathMissing):
        await LocalFolder(root).list(ROOT)
    assert sorted(session.workspace.tree) == ["a"]


async def test_a_state_directory_in_the_folder_is_out_of_reach(root: Path) -> None:
    state = root / ".py-agent/state"
    state.mkdir(parents=True)
    (state / "key").write_text("secret")
    session, project = await Session.create(memory_host()), Project(LocalFolder(root), at(".py-agent/state"))
    await project.take_over(session)
    assert sorted(session.workspace.tree) == []
    await do(session, write(".py-agent/state/key", b"evil"), write(".py-agent/config", b"fine"))
    event = await project.commit(session)
    assert paths_of(event.conflicts) == [".py-agent/state", ".py-agent/state/key"]
    assert (state / "key").read_text() == "secret"
    assert (root / ".py-agent/config").read_text() == "fine"
