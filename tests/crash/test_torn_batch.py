"""A log that ends anywhere, also between the events of one batch: the run is taken up there."""

from py_agent.core.events import AssistantMessage, Event, ToolUse, UserMessage
from py_agent.log.state import fold_state


def test_a_response_that_was_cut_off_is_no_step() -> None:
    events: list[Event] = [
        UserMessage(run_id="a", text="go"),
        AssistantMessage(step=1, text="", call_ids=("x", "y")),
        ToolUse(step=1, tool_use_id="1", call_id="x", name="Read"),
    ]
    run = fold_state(events).run
    assert run is not None
    assert (run.step, run.missing_call_ids) == (0, {"y"})
    run = fold_state([*events, ToolUse(step=1, tool_use_id="2", call_id="y", name="Read")]).run
    assert run is not None
    assert run.step == 1
