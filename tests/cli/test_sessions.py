"""`sessions`: list, show, resume after a crash, moved from one state to another, repaired."""

import json
import subprocess

import pytest

from tests.cli.processes import CommandLine
from tests.scenes import call

DONE = {"text": "Done."}
ASKED = "Allow? [y]es, [N]o, [s]top the run: "
WRITE = call("Write", file_path="a.txt", content="hello\n")
WAIT: dict[str, object] = {"deltas": ["waiting", {"pause_seconds": 600}]}


def killed(py_agent: CommandLine, *steps: dict[str, object]) -> str:
    """A session whose process was killed in mid-run, once the model had said a first word of its last step."""
    script = py_agent.script(*steps)
    process: subprocess.Popen[bytes] = py_agent.start("run", "go", "--json", "--permission-mode", "bypass", *script)
    assert process.stdout is not None
    while b'"waiting"' not in process.stdout.readline():
        continue
    process.kill()
    process.communicate()
    return py_agent.sessions()[0]


def cut_after(py_agent: CommandLine, session_id: str, event_type: str) -> None:
    """Leave the log as a crash right after this event would have."""
    log = py_agent.log(session_id)
    lines = log.read_bytes().splitlines(keepends=True)
    last = next(index for index, line in enumerate(lines) if json.loads(line)["type"] == event_type)
    log.write_bytes(b"".join(lines[: last + 1]))


def test_list_says_what_each_session_is_about_and_how_it_stands(py_agent: CommandLine) -> None:
    assert "no sessions yet" in py_agent("sessions", "list").out
    py_agent("write x to a.txt", "--permission-mode", "acceptEdits")
    cut_off = killed(py_agent, WAIT)
    newest, oldest = py_agent("sessions", "list").out.splitlines()
    assert newest.startswith(cut_off)
    assert newest.endswith("  go  (unfinished)")
    assert oldest.endswith("  write x to a.txt  (1 file to commit)")


def test_show_gives_the_conversation_or_the_events(py_agent: CommandLine) -> None:
    long = "word " * 10_000
    py_agent("run", f"write it\n{long}", "--permission-mode", "deny", *py_agent.script(WRITE, {"text": long}))
    [session_id] = py_agent.sessions()
    shown = py_agent("sessions", "show", session_id).out
    assert shown.startswith("> write it\nword word")
    assert "... (50009 bytes in all)\n[Write a.txt]\n[PermissionDenied: The permission mode deny" in shown
    assert shown.endswith("... (50000 bytes in all)\n")
    events = py_agent("sessions", "show", session_id, "--json").events
    assert [event["seq"] for event in events] == list(range(1, len(py_agent.logged(session_id)) + 1))


def test_a_run_that_was_killed_is_resumed_where_it_was(py_agent: CommandLine) -> None:
    session_id = killed(py_agent, WRITE, WAIT)
    script = py_agent.script(WRITE, DONE)
    done = py_agent("sessions", "resume", session_id, "--json", *script)
    assert done.code == 0
    assert [event["type"] for event in done.events] == [
        "run.resumed",
        "assistant.delta",
        "assistant.message",
        "workspace.diff",
        "result",
    ]
    assert "+hello" in py_agent("changes").out
    again = py_agent("sessions", "resume", session_id, *script)
    assert (again.code, "has no unfinished run" in again.err) == (2, True)


@pytest.mark.parametrize(("answer", "is_written"), [("y\n", True), ("n\n", False)])
def test_a_call_in_doubt_is_asked_about_whatever_the_mode(py_agent: CommandLine, answer: str, is_written: bool) -> None:
    session_id = killed(py_agent, WRITE, WAIT)
    cut_after(py_agent, session_id, "permission.decision")
    words = ["sessions", "resume", session_id, "--permission-mode", "bypass", *py_agent.script(WRITE, DONE)]
    with py_agent.terminal(*words) as terminal:
        assert "had begun when the session was cut off" in terminal.expect(ASKED)
        terminal.type(answer)
        terminal.expect("Done.")
        assert terminal.end() == 0
    assert ("+hello" in py_agent("changes").out) is is_written


def test_a_call_in_doubt_is_not_repeated_where_nobody_can_be_asked(py_agent: CommandLine) -> None:
    session_id = killed(py_agent, WRITE, WAIT)
    cut_after(py_agent, session_id, "permission.decision")
    script = py_agent.script(WRITE, DONE)
    done = py_agent("sessions", "resume", session_id, "--permission-mode", "bypass", *script)
    assert (done.code, "PermissionDenied" in done.err) == (0, True)
    assert "nothing to commit" in py_agent("changes").out


def test_a_new_goal_closes_a_run_that_was_cut_off(py_agent: CommandLine) -> None:
    session_id = killed(py_agent, WAIT)
    done = py_agent("run", "--session", session_id, "again", "--json", *py_agent.script(DONE))
    assert done.code == 0
    assert "The last run of this session was cut off." in done.err
    assert [event["type"] for event in done.events if "seq" in event] == [
        "result",
        "user.message",
        "assistant.message",
        "result",
    ]


def test_a_torn_last_line_is_cut_off_and_told(py_agent: CommandLine) -> None:
    py_agent("list the files")
    [session_id] = py_agent.sessions()
    log = py_agent.log(session_id)
    log.write_bytes(log.read_bytes() + b'{"seq":99,"ty')
    done = py_agent("run", "--session", session_id, "list the files", "--json")
    assert (done.code, done.events[0]["type"]) == (0, "session.recovered")
    log.write_bytes(log.read_bytes() + b'{"seq":99,"ty')
    assert "torn line of 13 bytes" in py_agent("run", "--session", session_id, "list the files").err


def test_a_session_moves_to_another_state_with_its_files(py_agent: CommandLine) -> None:
    py_agent("write hello to a.txt", "--permission-mode", "acceptEdits")
    [session_id] = py_agent.sessions()
    assert py_agent("sessions", "export", session_id).code == 0
    assert py_agent("sessions", "export", session_id, "-o", py_agent.root / "again.zip").code == 0
    exported = py_agent.project / f"session-{session_id}.zip"
    assert exported.read_bytes() == (py_agent.root / "again.zip").read_bytes()
    elsewhere = ["--state", str(py_agent.root / "elsewhere")]
    done = py_agent("sessions", "import", exported, *elsewhere)
    assert (done.code, done.out) == (0, f"Imported session {session_id}.\n")
    moved = py_agent.root / "elsewhere" / "sessions" / session_id / "events.jsonl"
    assert moved.read_bytes() == py_agent.log(session_id).read_bytes()
    assert "hello" in py_agent("run", "--session", session_id, "read a.txt", *elsewhere).out
    assert py_agent("commit", "--yes", *elsewhere).code == 0
    assert (py_agent.project / "a.txt").read_text() == "hello\n"
    twice = py_agent("sessions", "import", exported, *elsewhere)
    assert (twice.code, "is there already" in twice.err) == (2, True)


def test_a_damaged_log_is_named_left_alone_and_repaired_into_a_new_session(py_agent: CommandLine) -> None:
    py_agent("write hello to a.txt then read a.txt", "--permission-mode", "acceptEdits")
    [session_id] = py_agent.sessions()
    log = py_agent.log(session_id)
    lines = log.read_bytes().splitlines(keepends=True)
    damaged = b"".join([lines[0], lines[1].replace(b"hello", b"hallo"), *lines[2:]])
    log.write_bytes(damaged)
    for words in (["changes"], ["run", "--session", session_id, "go"], ["sessions", "show", session_id]):
        done = py_agent(*words)
        assert (done.code, done.out) == (1, "")
        assert "is damaged at line 2: its checksum does not fit." in done.err
        assert f"`py-agent sessions repair {session_id}`" in done.err
    assert "damaged" in py_agent("sessions", "list").out
    repaired = py_agent("sessions", "repair", session_id)
    assert (repaired.code, "1 line could not be read: 2." in repaired.err) == (0, True)
    assert log.read_bytes() == damaged
    new_id = repaired.out.split()[1]
    assert "+hello" in py_agent("changes").out
    assert "hello" in py_agent("run", "--session", new_id, "read a.txt").out


@pytest.mark.parametrize("broken", [b"{", b""])
def test_a_session_whose_meta_is_broken_is_listed_and_repaired(py_agent: CommandLine, broken: bytes) -> None:
    py_agent("write hello to a.txt", "--permission-mode", "acceptEdits")
    [session_id] = py_agent.sessions()
    meta = py_agent.log(session_id).with_name("meta.json")
    meta.write_bytes(broken)
    assert "damaged" in py_agent("sessions", "list").out
    assert py_agent("sessions", "show", session_id).code in (1, 2)
    assert py_agent("changes").code == 1
    assert py_agent("sessions", "repair", session_id).code == 0
    assert "+hello" in py_agent("changes").out
