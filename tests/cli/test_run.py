"""`run` without a terminal: events as JSON, exit codes, permissions, several turns of one session."""

import signal

import pytest

from tests.cli.processes import CommandLine, Done, finish
from tests.scenes import call

DONE = {"text": "Done."}
EVERY_TYPE = [
    "system.init",
    "workspace.import",
    "user.message",
    "assistant.delta",
    "assistant.delta",
    "assistant.message",
    "tool.use",
    "permission.decision",
    "workspace.changed",
    "tool.result",
    "assistant.delta",
    "assistant.message",
    "workspace.diff",
    "result",
]


def types(done: Done) -> list[str]:
    return [event["type"] for event in done.events]


def test_json_is_every_event_in_order_and_the_stored_ones_are_those_of_the_log(py_agent: CommandLine) -> None:
    (py_agent.project / "here.txt").write_text("x\n")
    script = py_agent.script({"deltas": ["I ", "write."], **call("Write", file_path="a.txt", content="1")}, DONE)
    done = py_agent("run", "go", "--json", "--permission-mode", "acceptEdits", *script)
    assert (done.code, types(done)) == (0, EVERY_TYPE)
    [session_id] = py_agent.sessions()
    stored = [{name: value for name, value in line.items() if name != "sum"} for line in py_agent.logged(session_id)]
    assert [event for event in done.events if "seq" in event] == stored
    assert [event["text_delta"] for event in done.events if event["type"] == "assistant.delta"] == [
        "I ",
        "write.",
        "Done.",
    ]
    assert f"py-agent changes --session {session_id}" in done.err
    assert f"py-agent commit --session {session_id}" in done.err
    assert "1 file differs from your folder." in done.err


def test_text_goes_to_standard_output_and_notices_to_standard_error(py_agent: CommandLine) -> None:
    (py_agent.project / "a.txt").write_text("x\n")
    done = py_agent("run", "list the files")
    assert (done.code, done.out) == (0, "These are the files:\n\n- a.txt\n")
    assert done.err == "py-agent: List .: done\n"


@pytest.mark.parametrize(
    "words",
    [["list the files"], ["--json", "list the files"], ["--project", ".", "list the files"], ["run", "list the files"]],
)
def test_a_first_word_that_is_no_command_is_a_goal(py_agent: CommandLine, words: list[str]) -> None:
    done = py_agent(*words)
    assert (done.code, "There are no files yet." in done.out) == (0, True)
    [session_id] = py_agent.sessions()
    assert [line["text"] for line in py_agent.logged(session_id) if line["type"] == "user.message"] == [
        "list the files"
    ]


def test_a_call_that_needs_permission_is_denied_where_nobody_can_be_asked(py_agent: CommandLine) -> None:
    done = py_agent("write hello to a.txt", "--json")
    assert done.code == 0
    [decision] = [event for event in done.events if event["type"] == "permission.decision"]
    assert decision["allowed"] is False
    assert "permission.question" not in types(done)
    assert py_agent("changes").out == f"Session {py_agent.sessions()[0]} has nothing to commit.\n"


def test_with_json_nobody_is_asked_even_on_a_terminal(py_agent: CommandLine) -> None:
    with py_agent.terminal("write hello to a.txt", "--json") as terminal:
        assert terminal.end() == 0
        assert "PermissionDenied" in terminal.text
        assert "Allow?" not in terminal.text


@pytest.mark.parametrize(
    ("steps", "words", "reason"),
    [
        ([{"error": "no quota"}], [], "error"),
        ([DONE], ["--max-steps", "1"], "end"),
        ([call("List"), DONE], ["--max-steps", "1"], "max_steps"),
        ([{"deltas": ["a", {"pause_seconds": 60}]}], ["--max-seconds", "0.05"], "max_seconds"),
        ([{**call("List"), "usage": {"input": 5}}, DONE], ["--max-tokens", "5"], "max_tokens"),
        ([{**call("List"), "usage": {"cost_usd": 1}}, DONE], ["--max-cost", "1"], "max_cost"),
        ([call("List")] * 9, [], "loop"),
    ],
)
def test_a_run_that_fails_or_reaches_a_limit_ends_with_code_1_and_a_result(
    py_agent: CommandLine, steps: list[dict[str, object]], words: list[str], reason: str
) -> None:
    done = py_agent("run", "go", "--json", *words, *py_agent.script(*steps))
    assert done.code == (0 if reason == "end" else 1)
    assert types(done).count("result") == 1
    assert (done.events[-1]["type"], done.events[-1]["stop_reason"]) == ("result", reason)


def test_a_run_that_fails_says_why_in_a_sentence(py_agent: CommandLine) -> None:
    done = py_agent("run", "go", *py_agent.script({"text": "Well", "error": "There is no quota left."}))
    assert (done.code, done.out) == (1, "Well\n")
    assert done.err == "py-agent: The run failed. There is no quota left.\n"


def test_a_limit_says_how_to_go_on_and_that_works(py_agent: CommandLine) -> None:
    script = py_agent.script(call("List"), DONE)
    done = py_agent("run", "go", "--max-steps", "1", *script)
    [session_id] = py_agent.sessions()
    assert done.err.endswith(f"To go on: py-agent run --session {session_id} 'go on'\n")
    later = py_agent("run", "--session", session_id, "go on", *script)
    assert (later.code, later.out) == (0, "Done.\n")


def test_several_turns_of_one_session(py_agent: CommandLine) -> None:
    first = py_agent("write one to a.txt", "--json", "--permission-mode", "acceptEdits")
    session_id = first.events[0]["session_id"]
    second = py_agent("run", "read a.txt", "--json", "--session", session_id)
    assert types(second)[0] == "user.message"
    assert "one" in second.events[-1]["final_text"]
    assert [event["seq"] for event in [*first.events, *second.events] if "seq" in event] == list(
        range(1, 1 + len(py_agent.logged(session_id)))
    )
    assert py_agent.sessions() == [session_id]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_during_a_stream_ends_in_a_cancelled_result(py_agent: CommandLine, number: int) -> None:
    script = py_agent.script({"deltas": ["begun", {"pause_seconds": 600}]})
    process = py_agent.start("run", "go", "--json", *script)
    assert process.stdout is not None
    lines = []
    while b"assistant.delta" not in (line := process.stdout.readline()):
        lines.append(line)
    process.send_signal(number)
    done = finish(process)
    assert (done.code, types(done)) == (130, ["result"])
    assert done.events[-1]["stop_reason"] == "cancelled"
    [session_id] = py_agent.sessions()
    assert py_agent.logged(session_id)[-1]["stop_reason"] == "cancelled"


def test_the_state_can_live_elsewhere(py_agent: CommandLine) -> None:
    for number, words in enumerate((["--state", str(py_agent.root / "s0")], [])):
        state = py_agent.root / f"s{number}"
        done = py_agent("list the files", *words, AGENT_STATE_DIR=str(py_agent.root / "s1"))
        assert done.code == 0
        assert len(list(state.glob("sessions/*/events.jsonl"))) == 1
    assert list(py_agent.project.iterdir()) == []


def test_a_state_directory_in_the_project_is_no_part_of_it(py_agent: CommandLine) -> None:
    (py_agent.project / "a.txt").write_text("x\n")
    (py_agent.project / ".py-agent").mkdir()
    (py_agent.project / ".py-agent" / "mine.txt").write_text("x\n")
    assert py_agent("list the files").out.endswith("\n- .py-agent/\n- .py-agent/mine.txt\n- a.txt\n")
    (py_agent.project / ".py-agent" / "mine.txt").unlink()
    assert py_agent("list the files").out.endswith("\n\n- a.txt\n")
    assert (py_agent.state / ".gitignore").read_text() == "*\n"
    kept = [path for folder in ("sessions", "blobs") for path in (py_agent.state / folder).rglob("*") if path.is_file()]
    assert {path.stat().st_mode & 0o077 for path in kept} == {0}


def test_a_link_that_leads_out_of_the_folder_is_not_followed(py_agent: CommandLine) -> None:
    (py_agent.root / "secret.txt").write_text("secret words\n")
    (py_agent.project / "link").symlink_to(py_agent.root / "secret.txt")
    (py_agent.project / "up").symlink_to("..")
    for path in ("link", "up/secret.txt", "../secret.txt", str(py_agent.root / "secret.txt")):
        done = py_agent("run", f"read {path}", "--json")
        [result] = [event for event in done.events if event["type"] == "tool.result"]
        assert (result["is_error"], result["error_type"]) == (True, "InvalidPath")
    assert not [path for path in py_agent.state.glob("blobs/*/*") if b"secret words" in path.read_bytes()]
