"""A compatibility check: what of a model's endpoint works as a run needs it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from py_agent.core.messages import AssistantTurn, CallResult, Message, ToolSchema, UserText
from py_agent.errors import BadAnswer, PyAgentError
from py_agent.ports.clock import Clock
from py_agent.providers.model import Model, ModelOutput, ModelRequest, complete

_WORD = "pelican"
_TOOL = ToolSchema(
    name="lookup",
    description="Look up the word for today.",
    parameters={"type": "object", "properties": {"day": {"type": "string"}}, "required": ["day"]},
)
_ASK_TEXT = UserText(text="Answer with the single word: ready")
_ASK_CALL = UserText(text="Call the tool lookup with the day 'today', then answer with the word that it gives you.")


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was tried: `problem` is empty if it works."""

    name: str
    problem: str = ""
    seconds: float = 0.0


async def check_endpoint(make_model: Callable[[bool], Model], clock: Clock) -> list[Check]:
    """Try what a run needs. `make_model` makes one that streams its answers, or one that does not."""
    streamed, whole = make_model(True), make_model(False)
    tries: dict[str, Callable[[], Awaitable[str]]] = {
        "an answer, streamed": lambda: _answer(streamed),
        "an answer, whole": lambda: _answer(whole),
        "a call, and its result": lambda: _call(streamed),
        "usage": lambda: _usage(streamed),
    }
    checks = []
    for name, attempt in tries.items():
        started = clock.monotonic()
        try:
            check = Check(name, await attempt())
        except PyAgentError as error:
            check = Check(name, str(error))
        checks.append(replace(check, seconds=clock.monotonic() - started))
    return checks


async def _ask(model: Model, *messages: Message) -> ModelOutput:
    output = await complete(model, ModelRequest(model.name, "You are being tested.", list(messages), (_TOOL,)))
    if output.done is None:
        raise BadAnswer("The answer has no end.")
    return output


async def _answer(model: Model) -> str:
    output = await _ask(model, _ASK_TEXT)
    return "" if output.text.strip() or output.calls else "The answer is empty."


async def _call(model: Model) -> str:
    first = await _ask(model, _ASK_CALL)
    if not first.calls:
        return "It answered without the call that it was asked for."
    items = first.done.provider_items if first.done else None
    turn = AssistantTurn(text=first.text, calls=tuple(first.calls), provider_items=items)
    results = [CallResult(call_id=call.call_id, output={"word": _WORD}) for call in first.calls]
    second = await _ask(model, _ASK_CALL, turn, *results)
    return "" if _WORD in second.text.lower() else "It did not use the result of the call."


async def _usage(model: Model) -> str:
    output = await _ask(model, _ASK_TEXT)
    return "" if output.done and output.done.usage.total else "It does not say how many tokens it used."
