"""`changes` and `commit`: what a session changed, and how it reaches the folder."""

from tests.cli.processes import CommandLine
from tests.scenes import call

DONE = {"text": "Done."}


def change(py_agent: CommandLine, *calls: dict[str, object]) -> str:
    """A session that makes these calls."""
    assert py_agent("run", "go", "--permission-mode", "bypass", *py_agent.script(*calls, DONE)).code == 0
    return py_agent.sessions()[0]


def test_changes_are_a_diff_that_patch_would_take(py_agent: CommandLine) -> None:
    (py_agent.project / "a.txt").write_text("one\ntwo\nthree\n")
    change(
        py_agent,
        call("Write", file_path="a.txt", content="one\n2\nthree\n", overwrite=True),
        call("Write", file_path="d/new.txt", content="no end"),
        call("Write", file_path="d/bin", content="a\0b"),
    )
    done = py_agent("changes")
    assert (done.code, done.err) == (0, "")
    assert done.out == (
        "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n"
        "--- /dev/null\n+++ b/d/bin\n(not shown: no text, or too long)\n"
        "--- /dev/null\n+++ b/d/new.txt\n@@ -0,0 +1,1 @@\n+no end\n\\ No newline at end of file\n"
    )
    assert (py_agent.project / "a.txt").read_text() == "one\ntwo\nthree\n"
    assert not (py_agent.project / "d").exists()


def test_commit_writes_everything_and_a_second_one_finds_nothing(py_agent: CommandLine) -> None:
    (py_agent.project / "a.txt").write_text("one\n")
    session_id = change(
        py_agent,
        call("Write", file_path="a.txt", content="two\n", overwrite=True),
        call("Write", file_path="d/e/new.txt", content="new\n"),
    )
    assert py_agent("commit", "--yes").out == f"Wrote 2 files in {py_agent.project}.\n"
    assert (py_agent.project / "a.txt").read_text() == "two\n"
    assert (py_agent.project / "d/e/new.txt").read_text() == "new\n"
    length = len(py_agent.logged(session_id))
    for command in (["commit", "--yes"], ["changes"]):
        done = py_agent(*command)
        assert (done.code, done.out) == (0, f"Session {session_id} has nothing to commit.\n")
    assert len(py_agent.logged(session_id)) == length


def test_commit_of_one_of_two_files_leaves_the_other(py_agent: CommandLine) -> None:
    session_id = change(py_agent, *[call("Write", file_path=f"d/{name}.txt", content="x\n") for name in "ab"])
    assert py_agent("commit", "d/a.txt", "--yes").code == 0
    assert sorted(path.name for path in (py_agent.project / "d").iterdir()) == ["a.txt"]
    assert "+++ b/d/b.txt" in py_agent("changes").out
    wrong = py_agent("commit", "d/a.txt", "--yes")
    assert (wrong.code, "'d/a.txt' has no change to commit" in wrong.err) == (2, True)
    assert py_agent("commit", "--session", session_id, "d", "--yes").code == 0
    assert sorted(path.name for path in (py_agent.project / "d").iterdir()) == ["a.txt", "b.txt"]


def test_a_file_that_changed_in_the_folder_too_is_named_and_not_overwritten(py_agent: CommandLine) -> None:
    (py_agent.project / "a.txt").write_text("one\n")
    session_id = change(
        py_agent,
        call("Write", file_path="a.txt", content="session\n", overwrite=True),
        call("Write", file_path="b.txt", content="session\n"),
        call("Write", file_path="c.txt", content="session\n"),
    )
    (py_agent.project / "a.txt").write_text("mine\n")
    (py_agent.project / "b.txt").write_text("mine\n")
    for wrote in (f"Wrote 1 file in {py_agent.project}.\n", "Nothing was written.\n"):
        done = py_agent("commit", "--yes")
        assert (done.code, done.out) == (1, wrote)
        assert "Not written: a.txt: It was changed in the folder after it was imported" in done.err
        assert "Not written: b.txt: " in done.err
        assert f"py-agent changes --session {session_id}" in done.err
    assert [(py_agent.project / f"{name}.txt").read_text() for name in "abc"] == ["mine\n", "mine\n", "session\n"]


def test_a_conflict_is_settled_by_saying_which_side_to_keep(py_agent: CommandLine) -> None:
    for name in "ab":
        (py_agent.project / f"{name}.txt").write_text("one\n")
    change(
        py_agent,
        call("Write", file_path="a.txt", content="session\n", overwrite=True),
        call("Write", file_path="b.txt", content="session\n", overwrite=True),
    )
    for name in "ab":
        (py_agent.project / f"{name}.txt").write_text("mine\n")
    assert "py-agent settle a.txt --keep session" in py_agent("commit", "--yes").err
    assert py_agent("settle", "a.txt", "--keep", "session").code == 0
    assert py_agent("settle", "b.txt", "--keep", "folder").code == 0
    assert py_agent("commit", "--yes").code == 0
    assert [(py_agent.project / f"{name}.txt").read_text() for name in "ab"] == ["session\n", "mine\n"]
    assert "nothing to commit" in py_agent("changes").out


def test_commit_needs_a_yes_where_nobody_can_be_asked(py_agent: CommandLine) -> None:
    change(py_agent, call("Write", file_path="a.txt", content="x\n"))
    done = py_agent("commit")
    assert (done.code, "--yes" in done.err) == (2, True)
    assert not (py_agent.project / "a.txt").exists()


def test_a_symlink_out_of_the_folder_is_not_written_through(py_agent: CommandLine) -> None:
    outside = py_agent.root / "outside"
    outside.mkdir()
    change(py_agent, call("Write", file_path="d/a.txt", content="x\n"))
    (py_agent.project / "d").symlink_to(outside)
    done = py_agent("commit", "--yes")
    assert (done.code, "Not written: d/a.txt" in done.err) == (1, True)
    assert list(outside.iterdir()) == []


def test_the_default_session_is_the_newest_of_the_folder_not_of_a_shared_state(py_agent: CommandLine) -> None:
    state = str(py_agent.root / "shared")
    other = py_agent.root / "other"
    other.mkdir()
    write = ["--permission-mode", "acceptEdits", "--state", state]
    py_agent("write mine to a.txt", *write)
    py_agent("write theirs to b.txt", "--project", str(other), *write)
    assert "+++ b/a.txt" in py_agent("changes", "--state", state).out
    assert py_agent("commit", "--yes", "--state", state).code == 0
    assert (py_agent.project / "a.txt").read_text() == "mine\n"
    assert not (py_agent.project / "b.txt").exists()
    third = py_agent.root / "third"
    third.mkdir()
    assert "This folder has no session yet" in py_agent("commit", "--state", state, "--project", str(third)).err


def test_a_session_that_is_used_with_another_folder_says_so(py_agent: CommandLine) -> None:
    state = str(py_agent.root / "shared")
    other = py_agent.root / "it's other"
    other.mkdir()
    done = py_agent("write x to b.txt", "--project", other, "--permission-mode", "acceptEdits", "--state", state)
    line = next(line for line in done.err.splitlines() if "to commit:" in line)
    assert f"--project '{other}'".replace("it's", """it'"'"'s""") in line
    session_id = line.split("--session ")[1].split()[0]
    done = py_agent("commit", "--yes", "--state", state, "--session", session_id)
    assert f"This session was made in {other}, and is used with {py_agent.project} now." in done.err
