"""The loop, on every host: streaming, tools, permissions, limits, cancel, resume."""

import asyncio

import pytest

from py_agent.core.events import AssistantMessage, PermissionDecision, Result, ToolResult
from py_agent.core.limits import RunLimits
from py_agent.core.paths import WorkspacePath
from py_agent.errors import UsageError
from py_agent.ports.gate import Answer
from py_agent.providers.demo import DemoModel
from tests.contracts.place import Place
from tests.scenes import Person, assert_each_call_has_one_result, call, client_with, run_all, script, stored, types

DONE = {"text": "Done."}


async def test_a_run_streams_deltas_and_stores_the_rest(place: Place) -> None:
    client = client_with(await place.open(), script({"deltas": ["Good ", "day"], "text": " to you"}))
    async with await client.open() as session:
        events = await run_all(session, "hi")
        assert types(events, deltas=True) == [
            "system.init",
            "user.message",
            *["assistant.delta"] * 3,
            "assistant.message",
            "result",
        ]
        assert [event.seq for event in events if event.type != "assistant.delta"] == [1, 2, 3, 4]
        assert await stored(session) == [event for event in events if event.type != "assistant.delta"]
        assert isinstance(events[-1], Result)
        assert (events[-1].final_text, events[-1].stop_reason) == ("Good day to you", "end")


async def test_a_tool_call_is_logged_in_order_and_changes_the_workspace(place: Place) -> None:
    client = client_with(await place.open(), script(call("Write", file_path="a/b.txt", content="x"), DONE))
    async with await client.open() as session:
        events = await run_all(session, "write")
        assert types(events) == [
            "system.init",
            "user.message",
            "assistant.message",
            "tool.use",
            "permission.decision",
            "workspace.changed",
            "tool.result",
            "assistant.message",
            "workspace.diff",
            "result",
        ]
        assert await session.workspace.read(WorkspacePath("a/b.txt")) == b"x"


async def test_a_session_goes_on_after_it_was_closed(place: Place) -> None:
    steps = script(call("Write", file_path="a.txt", content="one"), DONE, call("Read", file_path="a.txt"), DONE)
    async with await client_with(await place.open(), steps).open() as session:
        await run_all(session, "first")
        session_id = session.session_id
    async with await client_with(await place.open(), steps).open(session_id) as session:
        events = await run_all(session, "second")
        results = [event for event in events if isinstance(event, ToolResult)]
        assert results[0].output == {"file_path": "a.txt", "content": "one"}
        assert types(events).count("system.init") == 0


@pytest.mark.parametrize(
    ("mode", "answers", "is_written"),
    [
        ("default", [Answer(allowed=True)], True),
        ("default", [Answer(allowed=False)], False),
        ("acceptEdits", [], True),
        ("bypass", [], True),
        ("plan", [], False),
        ("deny", [], False),
    ],
)
async def test_a_mode_decides_what_runs(place: Place, mode, answers, is_written) -> None:  # type: ignore[no-untyped-def]
    person = Person(*answers)
    steps = script(call("Write", file_path="a.txt", content="x"), DONE)
    client = client_with(await place.open(), steps, mode=mode, approver=person)
    async with await client.open() as session:
        events = await run_all(session, "go")
        assert session.workspace.exists(WorkspacePath("a.txt")) is is_written
        assert len(person.asked) == len(answers)
        result = next(event for event in events if isinstance(event, ToolResult))
        assert (result.error_type == "PermissionDenied") is not is_written
        assert isinstance(events[-1], Result)
        assert events[-1].stop_reason == "end"


async def test_nobody_to_ask_means_denied(place: Place) -> None:
    steps = script(call("Write", file_path="a.txt", content="x"), DONE)
    async with await client_with(await place.open(), steps, mode="default").open() as session:
        events = await run_all(session, "go")
        decision = next(event for event in events if isinstance(event, PermissionDecision))
        assert not decision.allowed
        assert "nobody" in (decision.message or "")


async def test_a_denial_with_interrupt_ends_the_run(place: Place) -> None:
    steps = script(call("Write", file_path="a.txt", content="x"), DONE)
    person = Person(Answer(allowed=False, interrupt=True))
    async with await client_with(await place.open(), steps, mode="default", approver=person).open() as session:
        events = await run_all(session, "go")
        assert isinstance(events[-1], Result)
        assert events[-1].stop_reason == "cancelled"


async def test_an_unknown_tool_and_bad_arguments_are_results_for_the_model(place: Place) -> None:
    steps = script(call("Reed", file_path="x"), call("Read"), {"calls": [{"name": "Read", "input": "{bad"}]}, DONE)
    async with await client_with(await place.open(), steps).open() as session:
        results = [event for event in await run_all(session, "go") if isinstance(event, ToolResult)]
        assert [result.error_type for result in results] == ["UnknownTool", "BadArguments", "BadArguments"]
        assert "Did you mean Read?" in (results[0].error_message or "")
        assert "file_path" in (results[1].error_message or "")


async def test_lone_surrogates_of_a_model_do_not_reach_the_log(place: Place) -> None:
    steps = script({"text": "a\ud800b", **call("Write", file_path="a.txt", content="\ud800")}, DONE)
    async with await client_with(await place.open(), steps).open() as session:
        events = await run_all(session, "go")
        assert next(event.text for event in events if isinstance(event, AssistantMessage)) == "a?b"
        assert await session.workspace.read(WorkspacePath("a.txt")) == b"?"
        assert isinstance(events[-1], Result)
        assert events[-1].stop_reason == "end"


async def test_text_beside_calls_and_error_text_reach_the_next_request(place: Place) -> None:
    steps = script({"text": "I look.", **call("Read", file_path="none.txt")}, DONE)
    async with await client_with(await place.open(), steps).open() as session:
        await run_all(session, "go")
        turn, result = session.messages[1:3]
        assert turn.role == "assistant"
        assert (turn.text, len(turn.calls)) == ("I look.", 1)
        assert result.role == "tool"
        assert "none.txt" in result.output["error_message"]


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (RunLimits(max_steps=2), "max_steps"),
        (RunLimits(max_tokens=10), "max_tokens"),
        (RunLimits(max_cost_usd=0.5), "max_cost"),
    ],
)
async def test_a_limit_ends_the_run_with_its_own_reason(place: Place, limits, reason) -> None:  # type: ignore[no-untyped-def]
    steps = [
        {**call("List", path="."), "usage": {"input": 4, "output": 2, "cost_usd": 0.3}},
        {**call("Write", file_path="a", content="1"), "usage": {"input": 4, "output": 2, "cost_usd": 0.3}},
        {"text": "never"},
    ]
    async with await client_with(await place.open(), script(*steps), limits=limits).open() as session:
        events = await run_all(session, "go")
        assert isinstance(events[-1], Result)
        assert events[-1].stop_reason == reason
        assert_each_call_has_one_result(events)


async def test_a_time_limit_ends_the_run(place: Place) -> None:
    steps = script({"deltas": ["a", {"pause_seconds": 60}]})
    limits = RunLimits(max_seconds=0.05)
    async with await client_with(await place.open(), steps, limits=limits).open() as session:
        events = await run_all(session, "go")
        assert isinstance(events[-1], Result)
        assert events[-1].stop_reason == "max_seconds"


async def test_the_same_call_with_the_same_result_three_times_stops(place: Place) -> None:
    steps = script(*[call("List", path=".")] * 9, DONE)
    async with await client_with(await place.open(), steps).open() as session:
        events = await run_all(session, "go")
        assert isinstance(events[-1], Result)
        assert events[-1].stop_reason == "loop"
        assert types(events).count("tool.use") == 3


async def test_a_person_may_let_a_loop_go_on(place: Place) -> None:
    steps = script(*[call("List", path=".")] * 5, DONE)
    person = Person(Answer(allowed=True))
    async with await client_with(await place.open(), steps, approver=person).open() as session:
        events = await run_all(session, "go")
        assert isinstance(events[-1], Result)
        assert events[-1].stop_reason == "end"
        assert len(person.asked) == 1


async def test_cancel_ends_a_stream_with_a_valid_log(place: Place) -> None:
    steps = script({"deltas": ["a", {"pause_seconds": 60}, "b"]}, DONE)
    async with await client_with(await place.open(), steps).open() as session:
        events = []
        async for event in session.stream("go"):
            events.append(event)
            if event.type == "assistant.delta":
                session.cancel()
                session.cancel()
        assert types(events) == ["system.init", "user.message", "result"]
        assert isinstance(events[-1], Result)
        assert events[-1].stop_reason == "cancelled"
        session_id = session.session_id
    async with await client_with(await place.open(), script(DONE)).open(session_id) as session:
        assert types(await run_all(session, "again")) == ["user.message", "assistant.message", "result"]


async def test_leaving_the_iteration_closes_the_run(place: Place) -> None:
    steps = script({"deltas": ["a", {"pause_seconds": 60}, "b"]}, DONE)
    async with await client_with(await place.open(), steps).open() as session:
        events = session.stream("go")
        async for event in events:
            if event.type == "assistant.delta":
                break
        await events.aclose()
        assert types(await stored(session))[-1] == "result"
        assert not session.is_unfinished


async def test_cancel_while_a_question_is_open_leaves_each_call_with_a_result(place: Place) -> None:
    class Silent:
        async def ask(self, question: object) -> Answer:
            await asyncio.Event().wait()
            raise AssertionError

    steps = script(call("Write", file_path="a", content="1"), DONE)
    client = client_with(await place.open(), steps, mode="default", approver=Silent())
    async with await client.open() as session:
        events = []
        async for event in session.stream("go"):
            events.append(event)
            if event.type == "permission.question":
                session.cancel()
        assert_each_call_has_one_result(events)
        assert isinstance(events[-1], Result)
        assert events[-1].stop_reason == "cancelled"


async def test_a_model_that_fails_ends_the_run_as_an_event(place: Place) -> None:
    async with await client_with(await place.open(), script({"error": "no quota"}, DONE)).open() as session:
        events = await run_all(session, "go")
        assert isinstance(events[-1], Result)
        assert (events[-1].stop_reason, events[-1].error_message) == ("error", "no quota")
        assert types(await run_all(session, "again"))[-1] == "result"


async def test_long_values_are_kept_as_blobs_and_reach_the_model_whole(place: Place) -> None:
    text = "long " * 20_000
    steps = script(call("Write", file_path="a.txt", content=text), call("Read", file_path="a.txt"), DONE)
    host = await place.open()
    async with await client_with(host, steps).open() as session:
        events = await run_all(session, text)
        for event in events:
            assert len(event.model_dump_json()) < 40_000
        first = session.messages[0]
        assert first.role == "user"
        assert first.text_blob is not None
        result = next(event for event in events if isinstance(event, ToolResult) and event.output_blob)
        assert text[:1000] in (await host.storage.blobs.get(result.output_blob.sha256)).decode()  # type: ignore[union-attr]


async def test_a_second_run_at_once_is_refused(place: Place) -> None:
    steps = script({"deltas": ["a", {"pause_seconds": 60}]}, DONE)
    async with await client_with(await place.open(), steps).open() as session:
        async for event in session.stream("go"):
            if event.type == "assistant.delta":
                with pytest.raises(UsageError):
                    await run_all(session, "too")
                session.cancel()


async def test_the_demo_model_drives_the_real_tools(place: Place) -> None:
    async with await client_with(await place.open(), DemoModel(), mode="acceptEdits").open() as session:
        for request, answer in [
            ("what can you do?", "I am the demo model"),
            ("list the files", "There are no files yet."),
            ("write hello to notes/a.txt", "I wrote 6 bytes to notes/a.txt."),
            ("read notes/a.txt", "hello"),
            ("read none.txt", "That did not work."),
            ("write more to notes/a.txt", "there already"),
            ("overwrite notes/a.txt with bye then read notes/a.txt", "bye"),
        ]:
            events = await run_all(session, request)
            assert isinstance(events[-1], Result)
            assert answer in events[-1].final_text, request
