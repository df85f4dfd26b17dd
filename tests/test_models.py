"""The two models that need no network: what they understand, and what they say of what they do not."""

import asyncio
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from py_agent.core.messages import AssistantTurn, CallResult, Message, UserText
from py_agent.errors import BadScript, ModelError, UnknownProvider, UsageError
from py_agent.hosts.memory import memory_host
from py_agent.providers.arguments import parse_arguments
from py_agent.providers.choice import ModelChoice, choose_model
from py_agent.providers.demo import DemoModel
from py_agent.providers.model import Model, ModelOutput, ModelRequest, complete
from py_agent.providers.scripted import ScriptedModel


async def ask(model: Model, *messages: Message) -> ModelOutput:
    return await complete(model, ModelRequest("m", "", messages))


@pytest.mark.parametrize(
    ("request_text", "name", "arguments"),
    [
        ("list the files", "List", {"path": "."}),
        ("List all files in src", "List", {"path": "src"}),
        ("ls", "List", {"path": "."}),
        ("what files are there?", "List", {"path": "."}),
        ("read a.txt", "Read", {"file_path": "a.txt"}),
        ("please show me the file 'my notes.txt'", "Read", {"file_path": "my notes.txt"}),
        ("what's in notes/a.txt?", "Read", {"file_path": "notes/a.txt"}),
        ("write hello to a.txt", "Write", {"file_path": "a.txt", "content": "hello\n"}),
        ("write go to the shop to list.txt", "Write", {"file_path": "list.txt", "content": "go to the shop\n"}),
        ('put "x then y" into a.txt', "Write", {"file_path": "a.txt", "content": "x then y\n"}),
        ("create a.txt with one\ntwo", "Write", {"file_path": "a.txt", "content": "one\ntwo\n"}),
        ("overwrite a.txt with x", "Write", {"file_path": "a.txt", "content": "x\n", "overwrite": True}),
    ],
)
async def test_the_demo_model_understands(request_text: str, name: str, arguments: dict[str, Any]) -> None:
    output = await ask(DemoModel(), UserText(text=request_text))
    assert [(call.name, call.input) for call in output.calls] == [(name, arguments)]


@given(text=st.text())
def test_the_demo_model_answers_anything(text: str) -> None:
    output = asyncio.run(ask(DemoModel(), UserText(text=text)))
    assert output.done is not None
    assert output.calls or "I am the demo model: no language model" in output.text


async def test_the_demo_model_stops_after_a_step_that_failed() -> None:
    call = (await ask(DemoModel(), request := UserText(text="read none.txt then read a.txt"))).calls[0]
    failed = CallResult(call_id=call.call_id, output={"error_message": "There is no file."}, is_error=True)
    output = await ask(DemoModel(), request, AssistantTurn(text="", calls=(call,)), failed)
    assert (output.text, output.calls) == ("That did not work. There is no file.", [])


async def test_the_demo_model_shows_a_text_that_has_fences_within_a_longer_fence() -> None:
    call = (await ask(DemoModel(), request := UserText(text="read a.md"))).calls[0]
    result = CallResult(call_id=call.call_id, output={"file_path": "a.md", "content": "```\ncode\n```\n"})
    output = await ask(DemoModel(), request, AssistantTurn(text="", calls=(call,)), result)
    assert output.text.startswith("a.md says:\n\n````\n```\ncode")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ("3", "has no list of steps"),
        ("{}", "has no list of steps"),
        ('[{"txt": "a"}]', "step 1, txt"),
        ('[{"text": "a"}, {"calls": [{}]}]', "step 2, calls.0.name"),
        ('[{"deltas": [{"pause_seconds": -1}]}]', "step 1, deltas"),
        ("[4]", "step 1"),
    ],
)
def test_a_script_that_is_wrong_is_named_with_the_place(text: str, words: str) -> None:
    with pytest.raises(BadScript) as caught:
        ScriptedModel.from_json(text, "s.json")
    assert "s.json" in str(caught.value)
    assert words in str(caught.value)


async def test_a_script_plays_its_steps_by_the_answers_so_far() -> None:
    model = ScriptedModel.from_json(json.dumps({"steps": [{"text": "one"}, {"text": "two"}]}), "s.json")
    start = UserText(text="go")
    assert (await ask(model, start)).text == "one"
    assert (await ask(model, start, AssistantTurn(text="one"))).text == "two"
    with pytest.raises(ModelError, match="has 2 steps"):
        await ask(model, start, AssistantTurn(text="one"), AssistantTurn(text="two"))


@pytest.mark.parametrize(
    ("given_arguments", "parsed"),
    [
        ({"a": 1}, {"a": 1}),
        ('{"a": 1}', {"a": 1}),
        ("", {}),
        (None, {}),
        ("[1]", {"_raw": "[1]"}),
        ("{bad", {"_raw": "{bad"}),
        (7, {"_raw": 7}),
        ("[" * 100_000, {"_raw": "[" * 100_000}),
    ],
)
def test_arguments_are_read_with_tolerance(given_arguments: object, parsed: dict[str, Any]) -> None:
    assert parse_arguments(given_arguments) == parsed


def test_an_unknown_provider_and_a_missing_script_say_what_to_do() -> None:
    with pytest.raises(UnknownProvider, match="choose one of demo"):
        choose_model(ModelChoice("nope"), memory_host(), str)
    with pytest.raises(UsageError, match="--model FILE"):
        choose_model(ModelChoice("scripted"), memory_host(), str)
    with pytest.raises(UsageError, match="set OPENAI_API_KEY"):
        choose_model(ModelChoice("openai"), memory_host(), str)
