"""Servers that work: what they answer, chosen by the first part of the path."""

import gzip
import json
from collections.abc import Callable
from functools import lru_cache
from typing import Concatenate, ParamSpec

from tests.model_server.answers import CHAT, EVENTS, Answer, Ask, error_answer, plain, spoken, text_answer
from tests.model_server.calls import CALLS, VARIANTS
from tests.model_server.events import pieces
from tests.model_server.steps import Call, Gate, Reply, Step, Wait

P = ParamSpec("P")
Scenario = Callable[Concatenate[Ask, ...], Answer]

SCENARIOS: dict[str, Scenario] = {}
_WORDS = ("The ", "quick ", "brown ", "fox ", "jumps ", "over ", "the ", "lazy ", "dog. ")


def scenario(name: str) -> Callable[[Callable[Concatenate[Ask, P], Answer]], Callable[Concatenate[Ask, P], Answer]]:
    """The parameters of the function are the parts of the path behind the name; its docstring is its help."""

    def add(function: Callable[Concatenate[Ask, P], Answer]) -> Callable[Concatenate[Ask, P], Answer]:
        SCENARIOS[name] = function
        return function

    return add


@scenario("echo")
def echo(ask: Ask) -> Answer:
    """says what the last message of the person says"""
    text = f"You said: {ask.last_text}" if ask.endpoint not in {"", "models"} else ""
    return plain(ask, Step(deltas=tuple(pieces(text, 5))))


@scenario("script")
def script(ask: Ask, name: str) -> Answer:
    """plays the steps that were given by PUT /scripts/NAME, one for each turn of the conversation"""
    if name not in ask.scripts:
        return error_answer(404, f"There is no script {name}.")
    if ask.endpoint in {"", "models"}:
        return plain(ask, Step())
    steps, turn = ask.scripts[name], ask.turn
    if turn >= len(steps):
        return error_answer(400, f"The script {name} has {len(steps)} steps and was asked for one more.")
    return plain(ask, steps[turn])


@scenario("tools")
def tools(ask: Ask, turns: str, name: str = "Read", arguments: str = '{"file_path":"{turn}.txt"}') -> Answer:
    """calls the tool NAME in each of TURNS turns, then ends; {turn} in the arguments is the turn's number"""
    if ask.endpoint in {"", "models"}:
        return plain(ask, Step())
    turn = ask.results
    call = (name, arguments.replace("{turn}", str(turn + 1))) if turn < int(turns) else None
    return _tool_turn(ask.endpoint, turn, call, is_streamed=ask.is_streamed)


@lru_cache(maxsize=4096)
def _tool_turn(endpoint: str, turn: int, call: tuple[str, str] | None, *, is_streamed: bool) -> Answer:
    step = Step(calls=(Call(*call),)) if call else Step(text="Done.")
    return kept(spoken(endpoint, step, Reply(turn=turn), is_streamed=is_streamed))


@scenario("deltas")
def deltas(ask: Ask, count: str) -> Answer:
    """streams a text of COUNT deltas"""
    if ask.endpoint in {"", "models"}:
        return plain(ask, Step())
    return _many_deltas(ask.endpoint, int(count), is_streamed=ask.is_streamed)


@lru_cache(maxsize=16)
def _many_deltas(endpoint: str, count: int, *, is_streamed: bool) -> Answer:
    step = Step(deltas=tuple(_WORDS[at % len(_WORDS)] for at in range(count)))
    return kept(spoken(endpoint, step, Reply(), is_streamed=is_streamed))


def kept(answer: Answer) -> Answer:
    """An answer that can be given again: its body is made once."""
    return Answer(tuple(answer.body), answer.status, answer.headers, answer.length)


@scenario("calls")
def calls(ask: Ask, variant: str) -> Answer:
    """makes calls of Read and List as some chat servers word them; VARIANT is one of those in calls.py"""
    if variant not in VARIANTS:
        return error_answer(404, f"There is no variant {variant}.")
    if ask.endpoint in {"", "models"} or ask.results:
        return plain(ask, Step(text="Done."))
    if ask.endpoint != CHAT or not ask.is_streamed:
        return plain(ask, Step(calls=CALLS))
    return Answer(VARIANTS[variant](ask.reply), headers=EVENTS)


@scenario("mirror")
def mirror(ask: Ask) -> Answer:
    """gives back the body it was sent"""
    body = ask.record.body
    return Answer((body,), headers={"content-type": "application/octet-stream"}, length=len(body))


@scenario("gate")
def gate(ask: Ask, name: str) -> Answer:
    """sends `first`, waits for POST /gates/NAME, then sends `last`"""
    parts: tuple[bytes | Wait, ...] = (b"first", Gate(name), b"last")
    return Answer(parts, headers={"content-type": "text/plain"})


@scenario("cookies")
def cookies(ask: Ask) -> Answer:
    """sets a cookie"""
    answer = text_answer("Have a cookie.")
    return Answer(answer.body, 200, {**answer.headers, "set-cookie": "canary=1; Path=/"}, answer.length)


@scenario("gzip")
def compressed(ask: Ask) -> Answer:
    """sends a compressed JSON text"""
    body = gzip.compress(json.dumps({"text": "squeezed " * 1000}).encode())
    return Answer((body,), 200, {"content-type": "application/json", "content-encoding": "gzip"}, len(body))
