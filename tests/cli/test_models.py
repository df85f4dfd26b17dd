"""Models over the wire from the command line: which one is asked, with which settings, and what is said of faults."""

import json
from pathlib import Path

import pytest

from tests.cli.processes import CommandLine
from tests.model_server import Call, ModelServer, Step

KEY = "sk-secret-1"


def url(server: ModelServer, scenario: str) -> str:
    return f"{server.url}/{scenario}/v1"


def asked(server: ModelServer) -> list[dict[str, object]]:
    return [json.loads(record.body) for record in server.records if record.body]


def write_settings(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_a_base_url_alone_is_enough_to_be_answered(py_agent: CommandLine, model_server: ModelServer) -> None:
    done = py_agent("hello", OPENAI_BASE_URL=url(model_server, "echo"))
    assert (done.code, done.out) == (0, "You said: hello\n")
    done = py_agent("hello", "--base-url", url(model_server, "echo"), OPENAI_BASE_URL="http://127.0.0.1:9/v1")
    assert (done.code, done.out) == (0, "You said: hello\n")


def test_without_key_and_base_url_the_demo_model_answers(py_agent: CommandLine) -> None:
    assert "demo model" in py_agent("hello").out


def test_the_official_endpoint_is_not_asked_without_a_key(py_agent: CommandLine) -> None:
    done = py_agent("hello", "--provider", "openai")
    assert (done.code, "set OPENAI_API_KEY" in done.err) == (2, True)


def test_flags_go_over_environment_over_project_over_user(py_agent: CommandLine, model_server: ModelServer) -> None:
    config = py_agent.root / "config"
    base = {"OPENAI_BASE_URL": url(model_server, "echo"), "XDG_CONFIG_HOME": str(config)}
    write_settings(config / "py-agent/config.toml", 'model = "of-user"\n')
    models = []

    def ask(*words: str, **variables: str) -> None:
        model_server.records.clear()
        assert py_agent("hello", *words, **base, **variables).code == 0
        models.append(asked(model_server)[0]["model"])

    ask()
    write_settings(py_agent.project / ".py-agent/config.toml", 'model = "of-project"\n')
    ask()
    ask(AGENT_MODEL="of-environment")
    ask("--model", "of-flag", AGENT_MODEL="of-environment")
    assert models == ["of-user", "of-project", "of-environment", "of-flag"]


def test_a_folder_nobody_trusts_sets_neither_address_nor_mode(py_agent: CommandLine, model_server: ModelServer) -> None:
    text = f'base_url = "{url(model_server, "echo")}"\npermission_mode = "bypass"\n'
    write_settings(py_agent.project / ".py-agent/config.toml", text)
    model_server.records.clear()
    done = py_agent("write x to a.txt", "--provider", "demo", OPENAI_API_KEY=KEY)
    assert "base_url and permission_mode, which is ignored" in done.err
    assert "PermissionDenied" in done.err
    assert len(model_server.records) == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("model = ", "cannot be read"),
        ("model = 3", "model:"),
        ("max_steps = 0", "max_steps:"),
        ("colour = 'red'", "The keys are model, provider, base_url, permission_mode, max_steps"),
    ],
)
def test_a_file_of_settings_that_is_wrong_is_named(py_agent: CommandLine, text: str, words: str) -> None:
    write_settings(py_agent.project / ".py-agent/config.toml", text)
    done = py_agent("hello")
    assert (done.code, "config.toml" in done.err, words in done.err) == (2, True, True)


def test_a_chat_can_be_forced(py_agent: CommandLine, model_server: ModelServer) -> None:
    model_server.records.clear()
    py_agent("hello", OPENAI_BASE_URL=url(model_server, "echo"), AGENT_FORCE_CHAT_COMPLETIONS="true")
    assert [record.target for record in model_server.records] == ["/echo/v1/chat/completions"]


@pytest.mark.parametrize(
    ("scenario", "words"),
    [
        ("wrong-key", "refused access (401). Check the key."),
        ("unknown-model", "has no model 'gpt-4o-mini'"),
        ("html", "Check the base URL"),
        ("status/400", "refused the request (400)"),
    ],
)
def test_a_fault_is_one_sentence_that_names_the_endpoint(
    py_agent: CommandLine, model_server: ModelServer, scenario: str, words: str
) -> None:
    done = py_agent("hello", OPENAI_BASE_URL=url(model_server, scenario), OPENAI_API_KEY=KEY)
    assert done.code == 1
    assert words in done.err
    assert url(model_server, scenario) in done.err
    assert KEY not in done.err + done.out
    assert all(KEY.encode() not in path.read_bytes() for path in py_agent.root.rglob("*") if path.is_file())


def test_a_retry_is_told(py_agent: CommandLine, model_server: ModelServer) -> None:
    done = py_agent("hello", OPENAI_BASE_URL=url(model_server, f"fail/1/503/0/{py_agent.root.name}"))
    assert (done.code, done.out) == (0, "You said: hello\n")
    assert "cannot answer now (503)" in done.err
    assert "Asking again in 0.0 seconds." in done.err


def test_a_picture_goes_to_the_model(py_agent: CommandLine, model_server: ModelServer) -> None:
    picture = py_agent.root / "a.png"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(20))
    model_server.records.clear()
    py_agent("look", "--image", str(picture), OPENAI_BASE_URL=url(model_server, "echo"))
    assert "data:image/png;base64," in json.dumps(asked(model_server)[0])
    for bad, code in (("none.png", 2), (str(py_agent.project), 2)):
        assert py_agent("look", "--image", bad).code == code
    picture.write_text("no picture")
    done = py_agent("look", "--image", str(picture))
    assert (done.code, "must be PNG" in done.err) == (1, True)


def test_smoke_prints_a_table_of_both_formats(py_agent: CommandLine, model_server: ModelServer) -> None:
    call = Call("lookup", '{"day": "today"}')
    model_server.scripts["smoke"] = (Step("ready", calls=(call,)), Step("pelican"))
    done = py_agent("smoke", OPENAI_BASE_URL=url(model_server, "script/smoke"))
    assert done.code == 0
    assert done.out.splitlines()[0].split() == ["responses", "chat"]
    assert done.out.count("ok, ") == 8
    done = py_agent("smoke", OPENAI_BASE_URL=url(model_server, "wrong-key"), OPENAI_API_KEY=KEY)
    assert (done.code, done.out.count("failed")) == (1, 8)
    assert "Check the key" in done.out
    assert py_agent("smoke").code == 2
