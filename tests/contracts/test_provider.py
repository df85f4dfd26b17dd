"""Models over the wire, on every host: a real server that answers well, badly, late or not at all."""

import asyncio
import json
from dataclasses import replace
from typing import Any
from urllib.parse import quote

import pytest

from py_agent.client import AgentClient, AgentOptions, AgentSession
from py_agent.core.events import AssistantMessage, ModelRetried, Result, ToolResult, ToolUse, dump_event
from py_agent.core.limits import RunLimits
from py_agent.core.messages import UserText
from py_agent.errors import BadAnswer, ModelError, ModelRefused, ModelUnavailable
from py_agent.ports.host import Host
from py_agent.ports.http import HttpRequest
from py_agent.providers.choice import ModelChoice, openai_model
from py_agent.providers.model import ModelOutput, ModelRequest, complete
from py_agent.providers.openai import OpenAIModel
from py_agent.providers.retries import RetryingModel
from py_agent.providers.smoke import check_endpoint
from tests.contracts.place import Place
from tests.contracts.test_http import asked, assert_ends_at_once, body_of, opened
from tests.scenes import assert_each_call_has_one_result, run_all, stored, types

pytestmark = pytest.mark.network

KEY = "sk-secret-1"
PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(20)
FORMATS = pytest.mark.parametrize("wire_format", ["responses", "chat"])


def model_at(host: Host, place: Place, scenario: str, **fields: Any) -> OpenAIModel:
    choice = ModelChoice("openai", "test-model", f"{place.server}/{scenario}/v1", KEY)
    return openai_model(replace(choice, **fields), host)


async def ask(model: OpenAIModel, text: str = "hello") -> ModelOutput:
    return await complete(model, ModelRequest(model.name, "Be brief.", [UserText(text=text)]))


async def session_with(host: Host, model: OpenAIModel | RetryingModel) -> AgentSession:
    return await AgentClient(host, AgentOptions(model=model, permission_mode="bypass")).open()


async def give_script(host: Host, place: Place, *steps: dict[str, Any]) -> str:
    name = host.ids.new()
    body = json.dumps(steps).encode()
    await body_of(host.http, HttpRequest(f"{place.server}/scripts/{name}", "PUT", body=body))
    return f"script/{name}"


@FORMATS
@pytest.mark.parametrize("is_streamed", [True, False])
async def test_an_answer_arrives_with_its_usage(place: Place, wire_format: str, is_streamed: bool) -> None:
    host = await opened(place)
    output = await ask(model_at(host, place, "echo", wire_format=wire_format, is_streamed=is_streamed))
    assert output.text == "You said: hello"
    assert output.done is not None
    assert output.done.usage.total > 0
    [record] = await asked(host.http, place)
    assert record["headers"]["authorization"] == f"Bearer {KEY}"
    assert "cookie" not in record["headers"]
    assert json.loads(record["body"])["stream"] is is_streamed


@FORMATS
async def test_a_run_with_calls_reasoning_and_pictures(place: Place, wire_format: str) -> None:
    host = await opened(place)
    reasoning = [{"summary": "I think.", "encrypted_content": "opaque"}]
    calls = [
        {"name": "Write", "arguments": {"file_path": "a.txt", "content": "x"}},
        {"name": "Read", "arguments": {"file_path": "a.txt"}},
    ]
    steps = ({"deltas": ["Let ", "me."], "reasoning": reasoning, "calls": calls}, {"text": "Done."})
    model = model_at(host, place, await give_script(host, place, *steps), wire_format=wire_format)
    async with await session_with(host, model) as session:
        events = [event async for event in session.stream("go", [PICTURE])]
        assert "assistant.reasoning_delta" in types(events, deltas=True)
        results = [event.output for event in events if isinstance(event, ToolResult)]
        assert results[1] == {"file_path": "a.txt", "content": "x"}
        assert isinstance(events[-1], Result)
        assert (events[-1].final_text, events[-1].stop_reason) == ("Done.", "end")
    first, second = [json.loads(record["body"]) for record in await asked(host.http, place)][-2:]
    key = "input" if wire_format == "responses" else "messages"
    assert second[key][: len(first[key])] == first[key]
    assert "data:image/png;base64," in json.dumps(first[key])
    if wire_format == "responses":
        assert [item["encrypted_content"] for item in second[key] if item.get("type") == "reasoning"] == ["opaque"]
        assert (first["store"], first["include"]) == (False, ["reasoning.encrypted_content"])


async def test_a_resumed_session_sends_the_bytes_it_sent_before(place: Place) -> None:
    host = await opened(place)
    scenario = await give_script(host, place, {"text": "One.", "reasoning": [{"summary": "Hm."}]}, {"text": "Two."})
    async with await session_with(host, model_at(host, place, scenario)) as session:
        await run_all(session, "first")
        session_id = session.session_id
    client = AgentClient(await place.restart(), AgentOptions(model=model_at(host, place, scenario)))
    async with await client.open(session_id) as session:
        await run_all(session, "second")
    first, second = [record["body"] for record in await asked(host.http, place)][-2:]
    assert second.startswith(first.removesuffix("]}"))


@pytest.mark.parametrize("variant", ["404", "405", "501", "200"])
async def test_an_endpoint_without_responses_is_asked_as_a_chat_and_remembered(place: Place, variant: str) -> None:
    host = await opened(place)
    model = model_at(host, place, f"no-responses/{variant}")
    assert (await ask(model)).text == "You said: hello"
    assert (await ask(model)).text == "You said: hello"
    paths = [record["target"].rpartition("/v1")[2] for record in await asked(host.http, place)]
    assert paths == ["/responses", "/chat/completions", "/chat/completions"]


@pytest.mark.parametrize(
    ("variant", "count"),
    [
        ("interleaved", 2),
        ("id-first", 2),
        ("repeated", 2),
        ("no-index", 2),
        ("same-id", 2),
        ("index-zero", 2),
        ("one-chunk", 2),
        ("no-id", 2),
        ("object-arguments", 1),
        ("name-in-pieces", 1),
    ],
)
async def test_calls_are_put_together_however_a_chat_server_words_them(place: Place, variant: str, count: int) -> None:
    host = await place.open()
    output = await ask(model_at(host, place, f"calls/{variant}", wire_format="chat"))
    assert [call.name for call in output.calls] == ["Read", "List"][:count]
    assert [call.input for call in output.calls] == [{"file_path": "a.txt"}, {"path": "."}][:count]
    assert len({call.call_id for call in output.calls}) == count


@FORMATS
@pytest.mark.parametrize("scenario", ["done-then-more", "two-finish-reasons", "usage-only-chunk", "empty-choices"])
async def test_odd_streams_are_read(place: Place, wire_format: str, scenario: str) -> None:
    output = await ask(model_at(await place.open(), place, scenario, wire_format=wire_format))
    assert output.done is not None
    assert output.text


@FORMATS
@pytest.mark.parametrize(
    ("scenario", "error", "words"),
    [
        ("wrong-key", ModelRefused, "Check the key"),
        ("unknown-model", ModelRefused, "test-model"),
        ("html", BadAnswer, "Check the base URL"),
        ("garbage", ModelError, "/garbage/v1"),
        ("status/400", ModelRefused, "400"),
        ("status/429/7", ModelUnavailable, "429"),
        ("status/500", ModelUnavailable, "500"),
        ("cut/60", ModelUnavailable, "broke off"),
        ("cut-text", ModelUnavailable, "broke off"),
        ("reset/60", ModelUnavailable, ""),
        ("drop", ModelUnavailable, "could not be reached"),
        ("error-in-stream", ModelUnavailable, "stumbled"),
        ("failed", ModelError, ""),
        (f"redirect/{quote('http://127.0.0.1:9/', safe='')}", ModelRefused, "redirects"),
    ],
)
async def test_a_fault_is_put_into_words_without_the_key(  # type: ignore[no-untyped-def]
    place: Place, wire_format: str, scenario: str, error, words: str
) -> None:
    model = model_at(await place.open(), place, scenario, wire_format=wire_format)
    with pytest.raises(error) as caught:
        await ask(model)
    assert words in str(caught.value)
    assert KEY not in str(caught.value)


@pytest.mark.parametrize(("value", "seconds"), [("7", 7.0), ("-3", 0.0), ("1000000000", 60.0), ("soon", None)])
async def test_retry_after_is_read_and_bounded(place: Place, value: str, seconds: float | None) -> None:
    with pytest.raises(ModelUnavailable) as caught:
        await ask(model_at(await place.open(), place, f"status/429/{value}"))
    assert caught.value.retry_after_seconds == seconds


@FORMATS
@pytest.mark.parametrize("scenario", ["silent", "hang", "slow/0.05"])
async def test_a_server_that_falls_silent_is_left(place: Place, wire_format: str, scenario: str) -> None:
    model = model_at(await place.open(), place, scenario, wire_format=wire_format, idle_seconds=0.3)
    with pytest.raises(ModelUnavailable, match="sent nothing"):
        await ask(model)


@FORMATS
async def test_an_answer_that_was_cut_off_ends_the_run_and_keeps_its_text(place: Place, wire_format: str) -> None:
    host = await place.open()
    async with await session_with(host, model_at(host, place, "incomplete", wire_format=wire_format)) as session:
        events = await run_all(session, "go")
        message = next(event for event in events if isinstance(event, AssistantMessage))
        assert message.text
        assert message.cut_off
        assert isinstance(events[-1], Result)
        assert (events[-1].stop_reason, events[-1].error_type) == ("error", "BadAnswer")
        assert_each_call_has_one_result(events)


@FORMATS
async def test_failures_before_the_answer_are_retried_and_told(place: Place, wire_format: str) -> None:
    host = await place.open()
    model = model_at(host, place, f"fail/2/503/0/{host.ids.new()}", wire_format=wire_format)
    async with await session_with(host, RetryingModel(model)) as session:
        events = await run_all(session, "go")
        retries = [event for event in events if isinstance(event, ModelRetried)]
        assert [(retry.attempt, retry.step, retry.delay_seconds) for retry in retries] == [(1, 1, 0.0), (2, 1, 0.0)]
        assert isinstance(events[-1], Result)
        assert events[-1].stop_reason == "end"


@FORMATS
async def test_a_stream_that_breaks_after_text_was_shown_is_asked_for_again(place: Place, wire_format: str) -> None:
    host = await place.open()
    model = RetryingModel(model_at(host, place, "error-in-stream", wire_format=wire_format), first_delay_seconds=0.0)
    async with await session_with(host, model) as session:
        events = await run_all(session, "go")
        assert types(events, deltas=True).count("assistant.delta") >= 3
        assert types(await stored(session)) == [
            "system.init",
            "user.message",
            "model.retried",
            "model.retried",
            "result",
        ]
        assert isinstance(events[-1], Result)
        assert (events[-1].stop_reason, events[-1].final_text) == ("error", "")


async def test_refusals_are_not_retried(place: Place) -> None:
    host = await opened(place)
    with pytest.raises(ModelRefused):
        await complete(
            RetryingModel(model_at(host, place, "wrong-key", wire_format="chat")),
            ModelRequest("m", "", [UserText(text="hi")]),
        )
    assert len(await asked(host.http, place)) == 1


@FORMATS
async def test_no_call_is_made_of_an_answer_cut_at_any_byte(place: Place, wire_format: str) -> None:
    host = await place.open()
    calls = [{"name": "Write", "arguments": {"file_path": "a.txt", "content": "x" * 40}}]
    scenario = await give_script(host, place, {"text": "I write.", "calls": calls}, {"text": "Done."})
    whole = await ask(model_at(host, place, scenario, wire_format=wire_format))
    assert len(whole.calls) == 1
    for count in range(0, 1400, 97):
        model = model_at(host, place, f"cut/{count}/{scenario.removeprefix('script/')}", wire_format=wire_format)
        try:
            output = await ask(model)
        except ModelUnavailable:
            continue
        assert output.calls == whole.calls


@FORMATS
async def test_cancel_ends_the_connection_at_once(place: Place, wire_format: str) -> None:
    host = await opened(place)
    gate = host.ids.new()
    scenario = await give_script(host, place, {"deltas": ["a", {"gate": gate}, "b"]})
    left = 0.0
    async with await session_with(host, model_at(host, place, scenario, wire_format=wire_format)) as session:
        async for event in session.stream("go"):
            if event.type == "assistant.delta":
                left = host.clock.now()
                session.cancel()
        assert types(await stored(session))[-1] == "result"
    await assert_ends_at_once(host, place, left)


async def test_the_key_is_in_no_event(place: Place) -> None:
    host = await place.open()
    for scenario in ("wrong-key", "error-in-stream", "echo"):
        async with await session_with(host, model_at(host, place, scenario)) as session:
            for event in await run_all(session, "go"):
                assert KEY.encode() not in dump_event(event)


async def test_a_redirect_is_not_followed(place: Place) -> None:
    host = await opened(place)
    target = quote(f"{place.server}/echo/v1/responses", safe="")
    with pytest.raises(ModelRefused, match="key is not sent there"):
        await ask(model_at(host, place, f"redirect/{target}"))
    assert all("/redirect/" in record["target"] for record in await asked(host.http, place))


async def test_runs_side_by_side_do_not_mix(place: Place) -> None:
    host = await place.open()
    model = model_at(host, place, "echo")

    async def run(number: int) -> str:
        async with await session_with(host, model) as session:
            return (await run_all(session, f"number {number}"))[-1].model_dump()["final_text"]  # type: ignore[no-any-return]

    texts = await asyncio.gather(*map(run, range(10)))
    assert texts == [f"You said: number {number}" for number in range(10)]


@FORMATS
async def test_the_compatibility_check_finds_what_works(place: Place, wire_format: str) -> None:
    host = await place.open()

    async def problems(scenario: str) -> dict[str, bool]:
        def make(is_streamed: bool) -> OpenAIModel:
            return model_at(host, place, scenario, wire_format=wire_format, is_streamed=is_streamed)

        return {check.name: bool(check.problem) for check in await check_endpoint(make, host.clock)}

    call = {"name": "lookup", "arguments": {"day": "today"}}
    good = await give_script(host, place, {"text": "ready", "calls": [call]}, {"text": "pelican"})
    assert not any((await problems(good)).values())
    assert (await problems("echo"))["a call, and its result"]
    assert all((await problems("wrong-key")).values())


async def test_a_tool_call_run_of_many_turns_ends(place: Place) -> None:
    host = await place.open()
    arguments = quote('{"file_path":"{turn}.txt"}', safe="")
    async with await session_with(host, model_at(host, place, f"tools/10/Read/{arguments}")) as session:
        events = await run_all(session, "go")
        assert len([event for event in events if isinstance(event, ToolUse)]) == 10
        assert_each_call_has_one_result(events)


@FORMATS
async def test_an_endless_answer_ends_with_the_runs_time(place: Place, wire_format: str) -> None:
    host = await place.open()
    model = model_at(host, place, "endless", wire_format=wire_format)
    options = AgentOptions(model=model, limits=RunLimits(max_seconds=0.3))
    async with await AgentClient(host, options).open() as session:
        events = await run_all(session, "go")
        assert isinstance(events[-1], Result)
        assert events[-1].stop_reason == "max_seconds"
