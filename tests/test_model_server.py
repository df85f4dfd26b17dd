"""The model server, held against the types and the client of the official openai package."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import openai
import pytest
from openai import AsyncOpenAI
from openai.types import Model
from openai.types.chat import ChatCompletion, ChatCompletionChunk
from openai.types.responses import Response, ResponseStreamEvent
from pydantic import BaseModel, TypeAdapter

from py_agent.hosts.cpython import SocketHttp
from py_agent.ports.http import HttpRequest
from py_agent.providers.sse import SseParser
from tests.model_server import Call, ModelServer, Pause, Reasoning, Step, Usage
from tests.model_server.calls import VARIANTS
from tests.model_server.scenarios import SCENARIOS
from tests.model_server.steps import read_steps

STEPS = {
    "text": Step(deltas=("Good ", Pause(0), "morning", "."), usage=Usage(100, 80, 7, 3)),
    "reasoning": Step(text="Four.", reasoning=(Reasoning("Two and two.", "gAAA=="), Reasoning("", "gBBB=="))),
    "refusal": Step(refusal="I would rather not."),
    "calls": Step(text="I look.", calls=(Call("Read", '{"file_path":"ä.txt"}'), Call("List", "{}", "call_own"))),
    "empty": Step(),
}
WORKING = ["echo", "tools/2", "deltas/20", "incomplete", "incomplete/content_filter", *(f"script/{at}" for at in STEPS)]
SPOKEN_IN_CHAT_ALONE = "reasoning_content"


@pytest.fixture
def server(model_server: ModelServer) -> ModelServer:
    model_server.records.clear()
    model_server.scripts.update({name: [step, Step(text="Done.")] for name, step in STEPS.items()})
    return model_server


def question(endpoint: str, *, stream: bool) -> dict[str, Any]:
    turns = [{"role": "user", "content": "hello"}]
    options = {"stream_options": {"include_usage": True}} if stream and endpoint != "responses" else {}
    return {"model": "m", "stream": stream, "messages" if "chat" in endpoint else "input": turns, **options}


async def ask(url: str, body: Any, method: str = "POST") -> tuple[int, bytes]:
    http = SocketHttp()
    async with http.send(HttpRequest(url, method, body=json.dumps(body).encode() if body else b"")) as response:
        return response.status, b"".join([chunk async for chunk in response.chunks()])


async def events_of(url: str, endpoint: str) -> list[dict[str, Any] | str]:
    status, body = await ask(f"{url}/v1/{endpoint}", question(endpoint, stream=True))
    assert status == 200
    found = [event.data for event in SseParser().feed(body)]
    return [data if data == "[DONE]" else json.loads(data) for data in found]


def assert_no_unknown_field(value: Any) -> None:
    match value:
        case BaseModel():
            assert set(value.model_extra or {}) <= {SPOKEN_IN_CHAT_ALONE}
            for name in value.model_fields_set:
                assert_no_unknown_field(getattr(value, name))
        case list():
            for item in value:
                assert_no_unknown_field(item)


@pytest.mark.parametrize("scenario", WORKING)
async def test_each_streamed_event_of_responses_is_one_that_openai_knows(server: ModelServer, scenario: str) -> None:
    events = await events_of(f"{server.url}/{scenario}", "responses")
    kinds: TypeAdapter[BaseModel] = TypeAdapter(ResponseStreamEvent)
    for number, given in enumerate(events):
        assert isinstance(given, dict)
        event = kinds.validate_python(given)
        assert (given["sequence_number"], getattr(event, "type", "")) == (number, given["type"])
        assert_no_unknown_field(event)


@pytest.mark.parametrize("scenario", WORKING)
async def test_each_streamed_chunk_of_chat_is_one_that_openai_knows(server: ModelServer, scenario: str) -> None:
    *chunks, done = await events_of(f"{server.url}/{scenario}", "chat/completions")
    assert done == "[DONE]"
    for given in chunks:
        assert_no_unknown_field(ChatCompletionChunk.model_validate(given))


@pytest.mark.parametrize("scenario", WORKING)
@pytest.mark.parametrize(("endpoint", "kind"), [("responses", Response), ("chat/completions", ChatCompletion)])
async def test_each_whole_response_is_one_that_openai_knows(
    server: ModelServer, scenario: str, endpoint: str, kind: type[BaseModel]
) -> None:
    status, body = await ask(f"{server.url}/{scenario}/v1/{endpoint}", question(endpoint, stream=False))
    assert status == 200
    assert_no_unknown_field(kind.model_validate_json(body))


@pytest.mark.parametrize("scenario", [f"script/{name}" for name in STEPS])
async def test_a_stream_and_a_whole_response_say_the_same(server: ModelServer, scenario: str) -> None:
    events = await events_of(f"{server.url}/{scenario}", "responses")
    assert isinstance(events[-1], dict)
    _, whole = await ask(f"{server.url}/{scenario}/v1/responses", question("responses", stream=False))
    assert events[-1]["response"] == json.loads(whole)
    items = [event["item"] for event in events if isinstance(event, dict) and event["type"].endswith("item.done")]
    assert items == json.loads(whole)["output"]


@asynccontextmanager
async def client_of(server: ModelServer, scenario: str) -> AsyncIterator[AsyncOpenAI]:
    base_url = f"{server.url}/{scenario}/v1"
    async with AsyncOpenAI(base_url=base_url, api_key="sk-secret-3", max_retries=0) as client:
        yield client


async def test_the_client_of_openai_streams_a_response_with_reasoning_and_calls(server: ModelServer) -> None:
    async with client_of(server, "script/reasoning") as client:
        async with client.responses.stream(model="m", input="2 + 2?") as stream:
            async for _ in stream:
                continue
            response = await stream.get_final_response()
        assert response.output_text == "Four."
        assert [item.type for item in response.output] == ["reasoning", "reasoning", "message"]
        assert response.usage is not None
        assert response.usage.total_tokens == 15


async def test_the_client_of_openai_streams_a_chat_with_calls(server: ModelServer) -> None:
    async with client_of(server, "script/calls") as client:
        async with client.chat.completions.stream(model="m", messages=[{"role": "user", "content": "look"}]) as stream:
            async for _ in stream:
                continue
            completion = await stream.get_final_completion()
        message = completion.choices[0].message
        assert message.content == "I look."
        calls = [(call.id, call.function.name, call.function.arguments) for call in message.tool_calls or []]
        assert calls == [("call_00010000", "Read", '{"file_path":"ä.txt"}'), ("call_own", "List", "{}")]


async def test_the_client_of_openai_goes_through_turns_of_tools_in_both_formats(server: ModelServer) -> None:
    async with client_of(server, "tools/3") as client:
        turns: list[Any] = [{"role": "user", "content": "go"}]
        for turn in range(3):
            response = await client.responses.create(model="m", input=turns)
            [call] = response.output
            assert call.type == "function_call"
            assert call.arguments == f'{{"file_path":"{turn + 1}.txt"}}'
            turns += [call.to_dict(), {"type": "function_call_output", "call_id": call.call_id, "output": "x"}]
        assert (await client.responses.create(model="m", input=turns)).output_text == "Done."

        messages: list[Any] = [{"role": "user", "content": "go"}]
        for _ in range(3):
            message = (await client.chat.completions.create(model="m", messages=messages)).choices[0].message
            [made] = message.tool_calls or []
            messages += [message.to_dict(), {"role": "tool", "tool_call_id": made.id, "content": "x"}]
        last = await client.chat.completions.create(model="m", messages=messages)
        assert last.choices[0].message.content == "Done."


async def test_the_client_of_openai_lists_models_and_understands_refusals(server: ModelServer) -> None:
    async with client_of(server, "echo") as client:
        assert [Model.model_validate(model.to_dict()).id async for model in client.models.list()] == ["test-model"]
        response = await client.responses.create(model="m", input="hi")
        assert response.output_text == "You said: hi"
    async with client_of(server, "wrong-key") as client:
        with pytest.raises(openai.AuthenticationError, match="sk-secret-3"):
            await client.responses.create(model="m", input="hi")
    async with client_of(server, "unknown-model") as client:
        with pytest.raises(openai.NotFoundError) as caught:
            await client.chat.completions.create(model="m", messages=[{"role": "user", "content": "hi"}])
        assert caught.value.code == "model_not_found"


def test_steps_can_be_given_as_json() -> None:
    given: list[dict[str, Any]] = [
        {"deltas": ["a", {"pause_seconds": 1}, {"gate": "g"}], "usage": {"input_tokens": 3}},
        {"reasoning": [{"summary": "s", "encrypted_content": "e"}], "calls": [{"name": "Read", "arguments": {"a": 1}}]},
    ]
    first, second = read_steps(given)
    assert (first.whole_text, first.usage.input_tokens, len(first.deltas)) == ("a", 3, 3)
    assert (second.reasoning, second.calls) == ((Reasoning("s", "e"),), (Call("Read", '{"a": 1}'),))


SAYINGS = [
    *((f"calls/{variant}", 200, "tool_calls") for variant in VARIANTS),
    *((f"no-responses/{status}", 200, "You said: hello") for status in ("200", "404", "405", "501")),
    ("no-responses", 200, "You said: hello"),
    ("fail/0/503", 200, "You said"),
    ("fail/2/503/3", 503, "503"),
    ("status/429/Wed%2C%2021%20Oct%202026%2007:28:00%20GMT", 429, "429"),
    ("slow/0", 200, "You said: hello"),
    ("html", 200, "<h1>"),
    ("garbage", 200, "data: "),
    ("wrong-key", 401, "invalid_api_key"),
    ("unknown-model", 404, "model_not_found"),
    ("redirect/http%3A%2F%2F127.0.0.1%3A1%2F", 307, ""),
    ("leave", 200, "[DONE]"),
    ("error-in-stream", 200, "stumbled"),
    ("failed", 200, "stumbled"),
    ("done-then-more", 200, " And more."),
    ("two-finish-reasons", 200, '"finish_reason":"length"'),
    ("usage-only-chunk", 200, '"choices":[],"usage":{'),
    ("empty-choices", 200, '"choices":[],"usage":null'),
    ("no-done", 200, '"finish_reason":"stop"'),
    ("cut-text", 200, "Hello"),
    ("gzip", 200, "squeezed"),
    ("cookies", 200, "cookie"),
    ("mirror", 200, '"stream": true'),
]


@pytest.mark.parametrize(("scenario", "status", "words"), SAYINGS)
async def test_a_scenario_says_what_its_name_promises(
    server: ModelServer, scenario: str, status: int, words: str
) -> None:
    endpoint = "chat/completions"
    body = question(endpoint, stream=True)
    del body["stream_options"]
    found_status, found = await ask(f"{server.url}/{scenario}/v1/{endpoint}", body)
    assert found_status == status
    text = found.decode(errors="replace")
    said = "".join(json.loads(line[6:])["choices"][0]["delta"].get("content") or "" for line in _deltas(text))
    assert words in text or words in said


def _deltas(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith('data: {"id"') and '"choices":[{' in line]


@pytest.mark.parametrize("status", ["404", "405", "501"])
async def test_a_server_that_knows_chat_alone_refuses_responses_in_its_own_way(
    server: ModelServer, status: str
) -> None:
    body = question("responses", stream=True)
    assert (await ask(f"{server.url}/no-responses/{status}/v1/responses", body))[0] == int(status)
    assert await ask(f"{server.url}/no-responses/200/v1/responses", body) == (
        200,
        b'{"error":"Unexpected endpoint or method. (POST /v1/responses)"}',
    )


async def test_the_first_requests_fail_and_the_next_works(server: ModelServer) -> None:
    url = f"{server.url}/fail/2/503/v1/responses"
    body = question("responses", stream=False)
    assert [(await ask(url, body))[0] for _ in range(4)] == [503, 503, 200, 200]
    server.records.clear()
    assert (await ask(url, body))[0] == 503


async def test_scenarios_that_do_not_exist_or_lack_something_say_so(server: ModelServer) -> None:
    for path in ("nothing", "script/none", "cut", "cut/x", "calls/odd", "echo/too/much"):
        status, body = await ask(f"{server.url}/{path}/v1/responses", question("responses", stream=True))
        assert status in {400, 404}, path
        assert b'"message"' in body


async def test_a_script_that_is_put_there_goes_on_when_its_gate_is_opened(server: ModelServer) -> None:
    steps = [{"deltas": ["one ", {"gate": "two"}, "two"]}]
    assert (await ask(f"{server.url}/scripts/put", steps, "PUT"))[0] == 200
    http, body = SocketHttp(), json.dumps(question("chat/completions", stream=True)).encode()
    async with http.send(HttpRequest(f"{server.url}/script/put/v1/chat/completions", "POST", body=body)) as response:
        chunks = response.chunks()
        first = await anext(chunks)
        assert b"one " in first
        assert b"two" not in first
        server.open_gate("two")
        assert b"two" in b"".join([chunk async for chunk in chunks])


async def test_requests_are_kept_with_all_that_was_sent(server: ModelServer) -> None:
    await ask(f"{server.url}/echo/v1/responses", question("responses", stream=True))
    [record] = server.records
    assert (record.method, record.target, record.json["model"]) == ("POST", "/echo/v1/responses", "m")
    _, shown = await ask(f"{server.url}/requests", None, "GET")
    assert json.loads(shown)[0]["body"] == record.body.decode()


def test_every_scenario_has_a_sentence_of_help() -> None:
    assert [name for name, function in SCENARIOS.items() if not function.__doc__] == []
