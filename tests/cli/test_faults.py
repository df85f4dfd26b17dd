"""What cannot work ends in one sentence and a code, without a traceback, and loses nothing."""

import os
import signal
import subprocess
import sys

import pytest

from tests.cli.processes import CommandLine, Done, finish
from tests.scenes import call

DONE = {"text": "Done."}
WAIT = {"deltas": ["waiting", {"pause_seconds": 600}]}


def assert_one_sentence(done: Done, code: int, words: str) -> None:
    assert done.code == code, done.err
    assert words in done.err
    assert done.err.startswith("py-agent: ")
    assert done.err.count("\n") == 1
    assert done.out == ""


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["run", "go", "--provider", "nope"], 2, "There is no provider 'nope'; choose one of demo, scripted, openai."),
        (["run", "go", "--provider", "scripted"], 2, "name its JSON file with --model FILE."),
        (["run", "go", "--provider", "scripted", "--model", "none.json"], 2, "The script none.json cannot be read"),
        (["run", "go", "--permission-mode", "nope"], 2, "There is no permission mode 'nope'; choose one of default,"),
        (["run", "go", "--max-steps", "0"], 2, "--max-steps: Input should be greater than or equal to 1."),
        (["run", "go", "--max-cost", "-1"], 2, "--max-cost: Input should be greater than 0."),
        (["run", "go", "--project", "none"], 2, "The folder none cannot be read (No such file or directory)"),
        (["run", "go", "--project", "a.txt"], 2, "a.txt is not a directory; name the project's folder with --project"),
        (["run", "go", "--state", "."], 2, "The state directory cannot be the project's folder itself"),
        (["run", "go", "--state", "a.txt"], 1, "could not be used: Not a directory."),
        (["run", "go", "--session", "x"], 1, "'x' is not a session id"),
        (["run", "go", "--session", "0" * 32], 1, "There is no session 00000000"),
        (["run", " "], 2, "The goal is empty"),
        (["run", "list", "the", "files"], 2, "Put the goal in quotes: py-agent 'list the files'."),
        (["sessionz", "list"], 2, "did you mean the command `sessions`?"),
        (["changes"], 1, "This folder has no session yet; `py-agent run` starts one."),
        (["commit", "--yes"], 1, "This folder has no session yet"),
        (["sessions", "show", "../../etc"], 1, "'../../etc' is not a session id"),
        (["sessions", "resume", "0" * 32], 1, "There is no session 00000000"),
        (["sessions", "repair", "0" * 32], 1, "There is no log of a session 00000000"),
        (["sessions", "import", "none.zip"], 2, "none.zip cannot be read: No such file or directory."),
        (["sessions", "import", "a.txt"], 2, "Line 1 of the log is no event"),
    ],
)
def test_what_cannot_work_is_said_in_one_sentence(
    py_agent: CommandLine, words: list[str], code: int, said: str
) -> None:
    (py_agent.project / "a.txt").write_text("x\n")
    assert_one_sentence(py_agent(*words), code, said)
    assert list(py_agent.project.glob("**/sessions/*")) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"{", "is not JSON"),
        (b'{"step": []}', "has no list of steps"),
        (b'[{"text": "a"}, {"calls": [{"input": {}}]}]', "is wrong at step 2, calls.0.name: Field required."),
        (b"\xff", "is not UTF-8 text"),
        (b"[" * 100_000, "is not JSON"),
    ],
)
def test_a_malformed_script_is_named_with_its_fault(py_agent: CommandLine, text: bytes, said: str) -> None:
    (py_agent.root / "bad.json").write_bytes(text)
    assert_one_sentence(py_agent("run", "go", "--provider", "scripted", "--model", "../bad.json"), 2, said)


def test_wrong_options_show_the_usage(py_agent: CommandLine) -> None:
    for words in ([], ["run"], ["run", "go", "--nope"], ["sessions"], ["sessions", "nope"], ["--nope"]):
        done = py_agent(*words)
        assert (done.code, done.out, "usage: py-agent" in done.err) == (2, "", True)


def test_a_name_or_a_goal_that_is_no_text_is_refused(py_agent: CommandLine) -> None:
    folder = py_agent.root / os.fsdecode(b"\xff")
    folder.mkdir()
    assert_one_sentence(py_agent("run", "go", "--project", folder), 2, "is not valid UTF-8; rename the folder.")
    assert_one_sentence(py_agent("run", os.fsdecode(b"a\xff")), 2, "The goal is not valid UTF-8")


def test_a_folder_that_may_not_be_read_is_named(py_agent: CommandLine) -> None:
    closed = py_agent.root / "closed"
    (closed / "inside").mkdir(parents=True)
    closed.chmod(0)
    try:
        for folder in (closed, closed / "inside"):
            done = py_agent.as_mere_user("run", "go", "--project", folder)
            assert_one_sentence(done, 2, f"The folder {folder} cannot be read (Permission denied)")
    finally:
        closed.chmod(0o755)


def test_a_part_of_the_folder_that_may_not_be_read_is_left_out_and_named(py_agent: CommandLine) -> None:
    (py_agent.project / "a.txt").write_text("x\n")
    closed = py_agent.project / "closed.txt"
    closed.write_text("x\n")
    closed.chmod(0)
    done = py_agent.as_mere_user("list the files")
    assert (done.code, "- a.txt" in done.out, "closed.txt" in done.out) == (0, True, False)
    assert "Not copied (unreadable): 1, as closed.txt." in done.err


def test_a_session_that_another_process_writes_to_can_be_read_alone(py_agent: CommandLine) -> None:
    process = py_agent.start("run", "go", "--json", *py_agent.script(WAIT))
    assert process.stdout is not None
    while b'"waiting"' not in process.stdout.readline():
        continue
    [session_id] = py_agent.sessions()
    before = py_agent.log(session_id).read_bytes()
    for words in (["run", "too", "--session", session_id], ["commit", "--yes"], ["sessions", "resume", session_id]):
        assert_one_sentence(py_agent(*words), 1, f"is being written to by process {process.pid}; wait for it")
    assert py_agent("changes").code == 0
    assert py_agent("sessions", "show", session_id).out == "> go\n"
    assert py_agent.log(session_id).read_bytes() == before
    process.terminate()
    assert finish(process).code == 130
    assert py_agent("run", "too", "--session", session_id).code == 0


def test_a_full_disk_ends_the_run_in_words_and_the_session_goes_on_later(py_agent: CommandLine) -> None:
    steps = [call("Write", file_path="a.txt", content="x" * 20_000), call("Read", file_path="a.txt"), DONE]
    words = ["run", "go", "--permission-mode", "bypass", *py_agent.script(*steps)]
    done = py_agent.with_full_disk(30_000, *words, "--json")
    assert done.code == 1
    assert done.events[-1]["error_type"] == "StorageFull"
    assert "Free some space; nothing stored before is lost." in done.events[-1]["error_message"]
    [session_id] = py_agent.sessions()
    stored = py_agent.logged(session_id)
    assert stored == [{**event, "sum": line["sum"]} for line, event in zip(stored, numbered(done), strict=False)]
    assert py_agent(*words, "--session", session_id).out == "Done.\n"
    assert "+xxx" in py_agent("changes").out


def test_a_disk_that_is_full_from_the_start_is_named(py_agent: CommandLine) -> None:
    assert_one_sentence(py_agent.with_full_disk(0, "list the files"), 1, "No room to write")
    done = py_agent.with_full_disk(0, "list the files", "--json")
    assert [(event["type"], event["error_type"]) for event in done.events] == [("result", "StorageFull")]
    assert "no sessions yet" in py_agent("sessions", "list").out


def test_an_export_that_finds_no_room_leaves_the_old_file(py_agent: CommandLine) -> None:
    py_agent("list the files")
    [session_id] = py_agent.sessions()
    target = py_agent.root / "kept.zip"
    target.write_bytes(b"kept")
    done = py_agent.with_full_disk(10, "sessions", "export", session_id, "-o", target)
    assert_one_sentence(done, 1, "kept.zip cannot be written: File too large.")
    assert [path.name for path in py_agent.root.glob("*.zip*")] == ["kept.zip"]
    assert target.read_bytes() == b"kept"


@pytest.mark.parametrize("words", [["help"], ["help", "--json"], ["--help"], ["run", "--help"], ["sessions", "list"]])
def test_a_reader_that_leaves_is_no_error_of_ours(py_agent: CommandLine, words: list[str]) -> None:
    process = py_agent.start(*words)
    assert process.stdout is not None
    process.stdout.close()
    _, err = process.communicate()
    assert (err, process.returncode) == (b"", 0 if "--help" in words else 1)


def test_a_run_whose_reader_leaves_is_cancelled(py_agent: CommandLine) -> None:
    process = py_agent.start("run", "go", *py_agent.script({"deltas": ["one\n", {"pause_seconds": 0.01}] * 6000}))
    assert process.stdout is not None
    assert process.stdout.readline() == b"one\n"
    process.stdout.close()
    _, err = process.communicate()
    assert (err, process.returncode) == (b"", 1)
    [session_id] = py_agent.sessions()
    assert py_agent.logged(session_id)[-1]["stop_reason"] == "cancelled"


def test_output_that_finds_no_room_is_named(py_agent: CommandLine) -> None:
    done = finish(py_agent.start("help", before=["sh", "-c", '"$@" > /dev/full', "sh"]))
    assert_one_sentence(done, 1, "The output could not be written: No space left on device.")


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_error(py_agent: CommandLine, closed: str) -> None:
    done = finish(py_agent.start("list the files", before=["sh", "-c", f'"$@" {closed}', "sh"]))
    assert (done.code, "Traceback" in done.err) == (0, False)
    [session_id] = py_agent.sessions()
    assert py_agent.logged(session_id)[-1]["stop_reason"] == "end"


def test_a_character_that_the_terminal_lacks_is_escaped_and_json_is_utf_8(py_agent: CommandLine) -> None:
    script = py_agent.script({"text": "na\u00efve \u2713"})
    assert py_agent("run", "go", *script, PYTHONIOENCODING="ascii").out == "na\\xefve \\u2713\n"
    done = py_agent("run", "go", "--json", *script, PYTHONIOENCODING="ascii")
    assert done.events[-1]["final_text"] == "na\u00efve \u2713"


_BROKEN = """
import sys
from py_agent.cli import main, sessions

async def break_down(options):
    raise ZeroDivisionError("a bug \\x1b[2J")

sessions.list_all = break_down
sys.exit(main.run_command_line(sys.argv[1:]))
"""


def test_a_bug_is_one_sentence_too_and_debug_shows_where_it_is(py_agent: CommandLine) -> None:
    done = finish(start_changed(py_agent, _BROKEN, "sessions", "list"))
    assert_one_sentence(done, 1, "(ZeroDivisionError: a bug <U+001B>[2J). What was stored is kept; --debug shows where")
    shown = finish(start_changed(py_agent, _BROKEN, "sessions", "list", "--debug")).err
    assert "Traceback" in shown
    assert "break_down" in shown
    assert "\x1b" not in shown


_STUBBORN = """
import asyncio, sys
from py_agent.cli import main
from py_agent.providers import demo

async def stream(model, request):
    yield demo.TextDelta("begun\\n")
    while True:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            continue

demo.DemoModel.stream = stream
sys.exit(main.run_command_line(sys.argv[1:]))
"""


def test_a_run_that_does_not_end_can_be_left_all_the_same(py_agent: CommandLine) -> None:
    process = start_changed(py_agent, _STUBBORN, "run", "go")
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline() == b"begun\n"
    process.send_signal(signal.SIGTERM)
    process.send_signal(signal.SIGINT)
    assert b"once more leaves at once" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    assert finish(process).code == 130
    assert "(unfinished)" in py_agent("sessions", "list").out


def start_changed(py_agent: CommandLine, code: str, *words: str) -> "subprocess.Popen[bytes]":
    """Start the command line with a part of it replaced by one that does wrong."""
    command = [sys.executable, "-c", code, *words]
    return subprocess.Popen(command, cwd=py_agent.project, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def test_debug_shows_where_an_error_came_from_before_and_after_the_command(py_agent: CommandLine) -> None:
    for words in (["--debug", "sessions", "show", "x"], ["sessions", "show", "x", "--debug"]):
        done = py_agent(*words)
        assert (done.code, "Traceback" in done.err, "InvalidSessionId" in done.err) == (1, True, True)


def numbered(done: Done) -> list[dict[str, object]]:
    return [event for event in done.events if "seq" in event]
