"""A real folder, on every host: taken over at the start, followed later, written back only by a commit."""

import pytest

from py_agent.core.events import Skipped, WorkspaceCommit, WorkspaceImport
from py_agent.core.limits import ImportLimits
from py_agent.errors import UsageError
from py_agent.log.transfer import export_session
from py_agent.ports.folder import Folder
from py_agent.run.project import Project
from py_agent.run.session import Session
from tests.contracts.place import Place
from tests.folders import at, can_link, contents_of, delete, do, keep, move, paths_of, put, remove_all, write
from tests.scenes import call, client_with, run_all, script, types
from tests.workspace_model import Contents, Operation, hashes, tree_hashes

DONE = {"text": "Done."}


class Scene:
    """A session over a folder, and both sides' hands."""

    def __init__(self, folder: Folder, session: Session, project: Project) -> None:
        self.folder = folder
        self.session = session
        self.project = project
        self.workspace = session.workspace

    async def take_over(self) -> WorkspaceImport | None:
        return await self.project.take_over(self.session)

    async def commit(self, *paths: str) -> WorkspaceCommit:
        return await self.project.commit(self.session, [at(path) for path in paths] or None)

    async def do(self, *operations: Operation) -> None:
        await do(self.session, *operations)

    async def contents(self) -> Contents:
        return await contents_of(self.folder)


async def scene(
    place: Place, contents: Contents, *, limits: ImportLimits | None = None, state_dir: str | None = None
) -> Scene:
    folder = await place.folder()
    await put(folder, contents)
    project = Project(folder, at(state_dir) if state_dir else None, limits or ImportLimits())
    session = await Session.create(await place.open())
    found = Scene(folder, session, project)
    await found.take_over()
    return found


def reasons(skipped: tuple[Skipped, ...]) -> dict[str, tuple[str, ...]]:
    return {each.reason: each.examples for each in skipped}


async def test_a_folder_is_taken_over_as_one_event_with_all_its_bytes(place: Place) -> None:
    contents: Contents = {"a.txt": b"a", "d": None, "d/b.bin": bytes(range(256)), "empty": None, "z/y/x": b""}
    found = await scene(place, contents)
    assert tree_hashes(found.workspace.tree) == hashes({**contents, "z": None, "z/y": None})
    assert await found.workspace.read(at("d/b.bin")) == bytes(range(256))
    assert [event.type async for events in found.session.log.read() for event in events] == ["workspace.import"]
    assert len(found.workspace.changes()) == 0


async def test_ignore_files_leave_out_what_they_say(place: Place) -> None:
    found = await scene(
        place,
        {
            ".gitignore": b"*.log\nbuild/\n/top\n!keep.log\n",
            "a.log": b"",
            "keep.log": b"",
            "build/x/y": b"",
            "top": b"",
            "d/top": b"",
            "d/.gitignore": b"!a.log\n**/deep\n",
            "d/a.log": b"",
            "d/e/deep/z": b"",
        },
    )
    assert sorted(found.workspace.tree) == [
        ".gitignore",
        "d",
        "d/.gitignore",
        "d/a.log",
        "d/e",
        "d/top",
        "keep.log",
    ]
    assert [(each.reason, each.count) for each in found.workspace.skipped] == [("ignored", 4)]


async def test_reserved_paths_are_neither_copied_nor_written(place: Place) -> None:
    found = await scene(
        place,
        {
            ".git/config": b"x",
            "d/.git/HEAD": b"x",
            "d/a": b"x",
            ".py-agent-0123": b"x",
            "a.crswap": b"x",
            "keep/state/blobs/x": b"x",
            "git_alone/.git/HEAD": b"x",
        },
        state_dir="keep/state",
    )
    assert sorted(found.workspace.tree) == ["d", "d/a"]
    before = await found.contents()
    paths = [
        ".git/hooks/pre-commit",
        ".GIT/config",
        "d/.git/config",
        "d/.g\u200cit/config",
        ".git./x",
        "GIT~1/config",
        ".py-agent-0123",
        ".py-agent-x/y",
        "keep/state/blobs/x",
        "keep/STATE/y",
        "new/.git",
        "new/b.crswap",
    ]
    await found.do(*[write(path, b"evil") for path in paths])
    event = await found.commit()
    assert set(paths) <= set(paths_of(event.conflicts))
    assert await found.contents() == {**before, "new": None}


async def test_what_goes_beyond_a_limit_is_left_out_and_told_once(place: Place) -> None:
    limits = ImportLimits(max_files=4, max_file_bytes=10, max_total_bytes=15)
    found = await scene(place, {"a": b"1" * 10, "b": b"1" * 11, "c": b"1" * 6, "d": b"1", "e": b"1"}, limits=limits)
    assert sorted(found.workspace.tree) == ["a", "d", "e"]
    assert reasons(found.workspace.skipped) == {"too_large": ("b",), "too_much": ("c",)}
    assert await found.take_over() is None
    await put(found.folder, {"f": b"1", "g": b"1", "h": b"1"})
    event = await found.take_over()
    assert event is not None
    assert reasons(event.skipped) == {"too_large": ("b",), "too_much": ("c",), "too_many": ("g", "h")}
    await put(found.folder, {"aa": b"1" * 20})
    event = await found.take_over()
    assert event is not None
    assert (event.changes, reasons(event.skipped)["too_large"]) == ((), ("aa", "b"))
    assert await found.take_over() is None


async def test_too_many_directories_are_too_many(place: Place) -> None:
    found = await scene(place, {f"d{number}/x": b"" for number in range(4)}, limits=ImportLimits(max_files=3))
    assert len([entry for entry in found.workspace.tree.values() if entry.kind == "dir"]) == 3


async def test_what_changed_in_the_folder_is_taken_over_as_one_event(place: Place) -> None:
    found = await scene(place, {"a": b"old", "gone/b": b"x", "same": b"s", "kind": b"file", "dir/x": b"x"})
    for path in ("gone", "kind", "dir"):
        await remove_all(found.folder, at(path))
    await put(found.folder, {"a": b"new and longer", "kind/new": b"n", "dir": b"a file now", "added/c": b"c"})
    event = await found.take_over()
    assert event is not None
    assert event.conflicts == ()
    assert tree_hashes(found.workspace.tree) == hashes(await found.contents())
    assert len(found.workspace.changes()) == 0
    assert await found.take_over() is None


async def test_a_change_at_once_after_the_import_is_seen_though_size_and_time_may_be_the_same(place: Place) -> None:
    found = await scene(place, {"a": b"0000"})
    for number in range(1, 6):
        await put(found.folder, {"a": b"%04d" % number})
        await found.take_over()
        assert await found.workspace.read(at("a")) == b"%04d" % number


async def test_changes_of_the_session_stay_where_the_folder_changed_other_things(place: Place) -> None:
    found = await scene(place, {"a": b"a", "b": b"b", "d/x": b"x", "d/y": b"y"})
    await found.do(write("a", b"session"), delete("d/x"), write("d/new", b"n"), write("e/f", b"f"))
    await put(found.folder, {"b": b"folder", "d/theirs": b"t", "e/g": b"g"})
    await remove_all(found.folder, at("d/y"))
    event = await found.take_over()
    assert event is not None
    assert event.conflicts == ()
    expected: Contents = {"a": b"session", "b": b"folder", "d": None, "d/new": b"n", "d/theirs": b"t"}
    expected |= {"e": None, "e/f": b"f", "e/g": b"g"}
    assert tree_hashes(found.workspace.tree) == hashes(expected)
    assert (await found.commit()).conflicts == ()
    assert await found.contents() == expected


async def test_what_both_sides_changed_is_named_once_and_stays_as_each_has_it(place: Place) -> None:
    found = await scene(place, {"a": b"old", "b": b"old", "c": b"old", "d": b"old"})
    await found.do(write("a", b"session"), delete("b"), write("c", b"session"), write("new", b"session"))
    await put(found.folder, {"a": b"folder", "b": b"folder", "new": b"folder", "d": b"folder"})
    await remove_all(found.folder, at("c"))
    event = await found.take_over()
    assert event is not None
    assert paths_of(event.conflicts) == ["a", "b", "c", "new"]
    assert [change.path for change in event.changes] == ["d"]
    assert all("choose" in conflict.reason for conflict in event.conflicts)
    assert await found.take_over() is None
    await put(found.folder, {"other": b"x"})
    event = await found.take_over()
    assert event is not None
    assert event.conflicts == ()
    await found.session.close()
    again = await Session.open(await place.restart(), found.session.session_id)
    assert sorted(again.workspace.conflicts) == ["a", "b", "c", "new"]
    assert await again.workspace.read(at("a")) == b"session"
    assert await found.folder.read(at("a")) == b"folder"
    await again.close()


async def test_a_conflict_is_over_when_both_sides_agree_or_one_goes_back(place: Place) -> None:
    found = await scene(place, {"a": b"old", "b": b"old", "c": b"old"})
    await found.do(*[write(path, b"session") for path in ("a", "b", "c", "new")])
    await put(found.folder, dict.fromkeys(["a", "b", "c", "new"], b"folder"))
    await found.take_over()
    assert sorted(found.workspace.conflicts) == ["a", "b", "c", "new"]
    await put(found.folder, {"a": b"session", "b": b"old"})
    await remove_all(found.folder, at("new"))
    await found.do(write("c", b"old"))
    assert await found.take_over() is not None
    assert found.workspace.conflicts == {}
    assert await found.workspace.read(at("c")) == b"folder"
    assert found.workspace.changes().paths == ["b", "new"]
    assert (await found.commit()).conflicts == ()


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [(b"ours", b"theirs"), (None, b"theirs"), (b"ours", None)],
)
async def test_a_person_settles_a_conflict_either_way(place: Place, ours: bytes | None, theirs: bytes | None) -> None:
    found = await scene(place, {"d/a": b"old", "d/b": b"old", "d/c": b""})
    for path in ("d/a", "d/b"):
        await found.do(delete(path) if ours is None else write(path, ours))
        await remove_all(found.folder, at(path))
        if theirs is not None:
            await put(found.folder, {path: theirs})
    await found.take_over()
    assert sorted(found.workspace.conflicts) == ["d/a", "d/b"]
    await found.project.settle(found.session, at("d/a"), keep="session")
    await found.project.settle(found.session, at("d/b"), keep="folder")
    assert found.workspace.conflicts == {}
    assert await found.take_over() is None
    assert found.workspace.changes().paths == ["d/a"]
    assert (await found.commit()).conflicts == ()
    contents = {"d/a": ours, "d/b": theirs, "d/c": b""}
    expected = {"d": None, **{path: data for path, data in contents.items() if data is not None}}
    assert await found.contents() == expected
    assert tree_hashes(found.workspace.tree) == hashes(expected)


async def test_the_folders_directory_takes_the_place_of_the_sessions_file(place: Place) -> None:
    found = await scene(place, {"d/a": b"a", "d/b": b"b"})
    await found.do(delete("d"), write("d", b"a file"))
    await put(found.folder, {"d/c": b"c"})
    event = await found.take_over()
    assert event is not None
    assert paths_of(event.conflicts) == ["d"]
    with pytest.raises(UsageError):
        await found.project.settle(found.session, at("d/c"), keep="folder")
    await found.project.settle(found.session, at("d"), keep="folder")
    await found.take_over()
    assert tree_hashes(found.workspace.tree) == hashes(await found.contents())
    assert len(found.workspace.changes()) == 0


async def test_what_cannot_be_copied_cannot_be_settled(place: Place) -> None:
    found = await scene(place, {"a": b"old"}, limits=ImportLimits(max_file_bytes=10))
    await put(found.folder, {"a": b"x" * 11})
    with pytest.raises(UsageError, match="move it away"):
        await found.project.settle(found.session, at("a"), keep="session")
    with pytest.raises(UsageError):
        await found.project.settle(found.session, at(".git/x"), keep="folder")


async def test_a_file_that_grew_past_the_limit_is_named_and_never_overwritten(place: Place) -> None:
    found = await scene(place, {"a": b"small"}, limits=ImportLimits(max_file_bytes=10))
    await put(found.folder, {"a": b"x" * 11})
    event = await found.take_over()
    assert event is not None
    assert (paths_of(event.conflicts), reasons(event.skipped)) == (["a"], {"too_large": ("a",)})
    assert await found.workspace.read(at("a")) == b"small"
    assert await found.take_over() is None
    await found.do(write("a", b"session"))
    assert paths_of((await found.commit()).conflicts) == ["a"]
    assert await found.folder.read(at("a")) == b"x" * 11
    await put(found.folder, {"a": b"small"})
    await found.take_over()
    assert found.workspace.conflicts == {}
    assert (await found.commit()).conflicts == ()


async def test_what_a_new_rule_ignores_stays_known_and_is_followed(place: Place) -> None:
    found = await scene(place, {"out/a": b"1", "out/b": b"1", "x.log": b"1"})
    await put(found.folder, {".gitignore": b"out/\n*.log\n", "out/a": b"22", "out/new": b"n", "y.log": b"n"})
    await remove_all(found.folder, at("out/b"))
    await found.take_over()
    assert sorted(found.workspace.tree) == [".gitignore", "out", "out/a", "x.log"]
    assert await found.workspace.read(at("out/a")) == b"22"
    await found.do(write("out/a", b"333"), write("y.log", b"mine"))
    event = await found.commit()
    assert paths_of(event.conflicts) == ["y.log"]
    assert (await found.folder.read(at("out/a")), await found.folder.read(at("y.log"))) == (b"333", b"n")


async def test_no_run_touches_the_folder_and_a_commit_writes_what_was_chosen(place: Place) -> None:
    folder = await place.folder()
    await put(folder, {"a.txt": b"old", "b.txt": b"old"})
    steps = script(
        call("Write", file_path="a.txt", content="new", overwrite=True),
        call("Write", file_path="d/c.txt", content="c"),
        call("Write", file_path="b.txt", content="new", overwrite=True),
        DONE,
    )
    client = client_with(await place.open(), steps, project=Project(folder))
    async with await client.open() as session:
        events = await run_all(session, "go")
        assert types(events)[:3] == ["system.init", "workspace.import", "user.message"]
        assert await contents_of(folder) == {"a.txt": b"old", "b.txt": b"old"}
        event = await session.commit([at("a.txt"), at("d/c.txt")])
        assert [str(change.path) for change in event.changes] == ["a.txt", "d", "d/c.txt"]
        assert await contents_of(folder) == {"a.txt": b"new", "b.txt": b"old", "d": None, "d/c.txt": b"c"}
        assert session.changes().paths == ["b.txt"]
        with pytest.raises(UsageError, match="no change to commit"):
            await session.commit([at("a.txt")])


async def test_a_commit_never_writes_over_what_the_person_did(place: Place) -> None:
    found = await scene(place, {"changed": b"old", "deleted": b"old", "removed": b"old", "fine": b"old"})
    await put(found.folder, {".gitignore": b"ignored\n", "ignored": b"theirs"})
    await found.do(
        *[write(path, b"session") for path in ("changed", "deleted", "appeared", "ignored", "fine", "dir/x", "file")],
        delete("removed"),
    )
    await put(found.folder, {"changed": b"theirs", "removed": b"theirs", "appeared": b"theirs", "file/x": b"t"})
    await put(found.folder, {"dir": b"theirs"})
    await remove_all(found.folder, at("deleted"))
    before = await found.contents()
    event = await found.commit()
    expected = ["appeared", "changed", "deleted", "dir", "dir/x", "file", "ignored", "removed"]
    assert paths_of(event.conflicts) == expected
    assert [change.path for change in event.changes] == ["fine"]
    assert await found.contents() == {**before, "fine": b"session"}
    assert all(len(conflict.reason) > 20 for conflict in event.conflicts)
    assert await export_session(found.session.host, found.session.session_id)


async def test_what_cannot_be_written_to_its_new_place_stays_at_the_old_one(place: Place) -> None:
    found = await scene(place, {".gitignore": b"taken\n", "a": b"precious", "d/b": b"also", "taken": b"theirs"})
    await found.do(move("a", "taken"), move("d/b", ".git/b"), delete("d"))
    event = await found.commit()
    assert {"a", "d/b", "taken"} <= set(paths_of(event.conflicts))
    assert (await found.contents()).items() >= {"a": b"precious", "d/b": b"also", "taken": b"theirs"}.items()


async def test_a_file_of_the_same_size_is_told_apart_by_its_bytes(place: Place) -> None:
    found = await scene(place, {"a": b"old"})
    await found.do(write("a", b"new"))
    await put(found.folder, {"a": b"our"})
    [conflict] = (await found.commit()).conflicts
    assert conflict.folder is not None
    assert await found.session.host.storage.blobs.get(conflict.folder.sha256 or "") == b"our"
    assert await export_session(found.session.host, found.session.session_id)


async def test_what_is_there_already_counts_as_written(place: Place) -> None:
    found = await scene(place, {"a": b"old", "b": b"old"})
    await found.do(write("a", b"new"), delete("b"), write("d/c", b"c"))
    await put(found.folder, {"a": b"new", "d/c": b"c"})
    await remove_all(found.folder, at("b"))
    event = await found.commit()
    assert (event.conflicts, len(event.changes)) == ((), 4)
    assert len(found.workspace.changes()) == 0


@pytest.mark.parametrize(
    ("before", "operations"),
    [
        ({"a": b"file"}, [delete("a"), write("a/b/c", b"1"), write("a/d", b"2")]),
        ({"a/b/c": b"1", "a/d": b"2"}, [delete("a"), write("a", b"file")]),
        ({"a/b/c": b"1", "a/d": b"2", "a/e": None}, [move("a", "x/y")]),
        ({"a/b": b"1", "c": b"2"}, [move("a", "tmp"), move("c", "a"), move("tmp", "c")]),
        ({"README": b"x", "Src/a": b"y"}, [move("README", "tmp"), move("tmp", "readme"), move("Src", "src")]),
        ({"a/b": b"1", "a/c": b"2"}, [move("a/b", "b"), delete("a"), move("b", "a")]),
        ({"a": b"1"}, [move("a", "tmp"), move("tmp", "a/a")]),
        ({"d/e/f": b"1"}, [delete("d/e/f")]),
        ({"d/e/f": b"1"}, [delete("d")]),
    ],
)
async def test_paths_that_change_their_kind_or_place_are_committed(
    place: Place, before: Contents, operations: list[Operation]
) -> None:
    found = await scene(place, before)
    await found.do(*operations)
    assert (await found.commit()).conflicts == ()
    assert hashes(await found.contents()) == tree_hashes(found.workspace.tree)
    assert len(found.workspace.changes()) == 0
    await found.take_over()
    assert await found.take_over() is None


async def test_one_file_of_a_directory_that_was_a_file_brings_the_directory(place: Place) -> None:
    found = await scene(place, {"a": b"file"})
    await found.do(delete("a"), write("a/x", b"1"), write("a/y", b"2"))
    event = await found.commit("a/x")
    assert event.conflicts == ()
    assert await found.contents() == {"a": None, "a/x": b"1"}


async def test_a_directory_with_files_that_were_not_imported_is_not_removed(place: Place) -> None:
    found = await scene(place, {".gitignore": b"*.o\n", "d/a.c": b"c", "d/a.o": b"o", "e/x": b"x"})
    await found.do(delete("d"), delete("e"), write("e", b"now a file"))
    await put(found.folder, {"e/new": b"n"})
    event = await found.commit()
    assert paths_of(event.conflicts) == ["d", "e"]
    assert await found.contents() == {
        ".gitignore": b"*.o\n",
        "d": None,
        "d/a.o": b"o",
        "e": None,
        "e/new": b"n",
    }


async def test_what_the_folder_cannot_hold_is_a_conflict_and_the_rest_is_written(place: Place) -> None:
    found = await scene(place, {})
    async with found.workspace.transaction() as transaction:
        for link, target in (("l/out", "../../etc"), ("absolute", "/etc/passwd"), ("winding", "l/../x")):
            transaction.link(at(link), target)
        transaction.write(at("fine"), b"x")
        await keep(found.session, transaction)
    event = await found.commit()
    assert paths_of(event.conflicts) == ["absolute", "l/out", "winding"]
    assert await found.contents() == {"fine": b"x", "l": None}


async def test_a_link_is_imported_followed_inside_and_committed_where_the_folder_has_links(place: Place) -> None:
    folder = await place.folder()
    found = await scene(place, {"real/a": b"x"})
    async with found.workspace.transaction() as transaction:
        transaction.link(at("d/link"), "/workspace/real/a")
        await keep(found.session, transaction)
    event = await found.commit()
    assert await found.workspace.read(at("d/link")) == b"x"
    if event.conflicts:
        assert "link" in event.conflicts[0].reason
        return
    assert (await contents_of(folder))["d/link"] == b"-> ../real/a"
    other = await Session.create(await place.open())
    await found.project.take_over(other)
    assert await other.workspace.read(at("d/link")) == b"x"
    await do(other, write("real/a", b"changed"), delete("d/link"), write("d/link/now", b"a directory"))
    assert (await found.project.commit(other)).conflicts == ()
    assert await contents_of(folder) == {"real": None, "real/a": b"changed", "d": None, "d/link": None} | {
        "d/link/now": b"a directory"
    }
    await other.close()


async def test_nothing_is_written_through_a_link_that_came_after_the_import(place: Place) -> None:
    found = await scene(place, {"d/a": b"old", "d/b": b"old", "outside/a": b"safe", "outside/b": b"safe"})
    await found.do(write("d/a", b"new"), write("d/new", b"new"), delete("d/b"), write("top", b"new"))
    await remove_all(found.folder, at("d"))
    if not await can_link(found.folder, at("d"), "outside"):
        assert await found.folder.stat(at("d")) is None
        return
    await found.folder.link(at("top"), "outside/a")
    event = await found.commit()
    assert paths_of(event.conflicts) == ["d/a", "d/new", "top"]
    after = await found.contents()
    assert {path: data for path, data in after.items() if path.startswith("outside/")} == {
        "outside/a": b"safe",
        "outside/b": b"safe",
    }
    assert (after["d"], after["top"]) == (b"-> outside", b"-> outside/a")


async def test_an_executable_bit_survives_import_edit_and_commit(place: Place) -> None:
    folder = await place.folder()
    await folder.write(at("tool"), b"#!", executable=True)
    found = await scene(place, {"plain": b"x"})
    can_tell = (await folder.stat(at("tool"))).executable is not None  # type: ignore[union-attr]
    async with found.workspace.transaction() as transaction:
        transaction.write(at("tool"), b"#! edited")
        transaction.write(at("plain"), b"x", executable=True)
        transaction.write(at("new"), b"n", executable=True)
        await keep(found.session, transaction)
    assert (await found.commit()).conflicts == ()
    assert len(found.workspace.changes()) == 0
    await found.take_over()
    for name in ("tool", "plain", "new"):
        entry = await folder.stat(at(name))
        assert entry is not None
        assert entry.executable in ((True,) if can_tell else (None,))
        assert found.workspace.tree[at(name)].executable is (can_tell or name != "tool")
    assert len(found.workspace.changes()) == 0


async def test_a_long_list_of_times_that_changed_is_kept_outside_the_event(place: Place) -> None:
    contents: Contents = {f"d/{number}": b"%d" % number for number in range(150)}
    found = await scene(place, contents)
    await remove_all(found.folder, at("d"))
    await put(found.folder, contents)
    event = await found.take_over()
    assert event is not None
    events = [event async for events in found.session.log.read() for event in events]
    assert isinstance(events[-1], WorkspaceImport)
    assert events[-1].settled_blob is not None
    assert (events[-1].settled, events[-1].changes) == ((), ())
    await found.session.close()
    again = await Session.open(await place.restart(), found.session.session_id)
    assert dict(again.workspace.base) == dict(found.workspace.base)
    assert await export_session(again.host, again.session_id)
    await again.close()


async def test_a_folder_follows_the_session_through_a_restart(place: Place) -> None:
    found = await scene(place, {"a": b"1", "b": b"1"})
    await found.do(write("a", b"2"))
    await found.commit()
    await found.do(write("b", b"2"))
    await found.session.close()
    session = await Session.open(await place.restart(), found.session.session_id)
    assert session.workspace.changes().paths == ["b"]
    await put(found.folder, {"a": b"33"})
    await found.project.take_over(session)
    assert await session.workspace.read(at("a")) == b"33"
    assert (await found.project.commit(session)).conflicts == ()
    assert await contents_of(found.folder) == {"a": b"33", "b": b"2"}
    await session.close()
