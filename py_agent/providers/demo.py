"""The demo model: follows a few simple requests with real tool calls, and says so. It is no language model."""

import re
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from py_agent.core.messages import AssistantTurn, CallResult, Message, ToolCall, UserText
from py_agent.providers.model import CallMade, Done, ModelPart, ModelRequest, TextDelta

ABILITIES = """\
I am the demo model: no language model, a small program that follows simple requests with real tool calls. I understand

- help
- list the files (or: list the files in DIRECTORY)
- read PATH
- write TEXT to PATH (or: overwrite PATH with TEXT)

and several of them joined by "then", as in: write hello to a.txt then read a.txt"""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do: a call, and how to put its result into words. No call: only words."""

    say: Callable[[CallResult], str]
    call_name: str = ""
    call_input: dict[str, Any] | None = None


class DemoModel:
    @property
    def name(self) -> str:
        return "demo"

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelPart]:
        text, results = _last_turn(request.messages)
        steps = _understand(text)
        words = steps[len(results) - 1].say(results[-1]) if results else ""
        if results and results[-1].is_error:
            steps = steps[: len(results)]
        step = steps[len(results)] if len(results) < len(steps) else None
        if step is not None and step.call_input is None:
            words = f"{words}\n\n{ABILITIES}".strip()
        for delta in re.findall(r"\s*\S+|\s+$", words):
            yield TextDelta(delta)
        if step is not None and step.call_input is not None:
            call_id = f"demo-{_count_calls(request.messages) + 1}"
            yield CallMade(ToolCall(call_id=call_id, name=step.call_name, input=step.call_input))
        yield Done()


def _last_turn(messages: Sequence[Message]) -> tuple[str, list[CallResult]]:
    """The person's last words, and the results of the calls made since."""
    results: list[CallResult] = []
    for message in reversed(messages):
        if isinstance(message, UserText):
            return message.text, results[::-1]
        if isinstance(message, CallResult):
            results.append(message)
    return "", []


def _count_calls(messages: Sequence[Message]) -> int:
    return sum(len(message.calls) for message in messages if isinstance(message, AssistantTurn))


def _understand(text: str) -> list[Step]:
    """The steps of a request: of all of its parts if each is understood, else of the whole."""
    clauses = [clause for clause in re.split(r"[;\n]|,? (?:and )?then\s", text) if clause.strip()]
    steps = [_read_clause(clause.strip()) for clause in clauses]
    if len(steps) > 1 and all(step.call_input is not None for step in steps):
        return steps
    return [_read_clause(text.strip())]


def _read_clause(clause: str) -> Step:
    clause = re.sub(r"^(?:please|now|can you|could you)\s+", "", clause, flags=re.IGNORECASE).rstrip("?!")
    for pattern, make in _REQUESTS:
        if match := re.fullmatch(pattern, clause, re.IGNORECASE | re.DOTALL):
            return make({key: _unquote(value) for key, value in match.groupdict().items() if value})
    return Step(say=lambda _: "")


def _unquote(text: str) -> str:
    text = text.strip()
    is_quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "\"'`"
    return text[1:-1] if is_quoted else text


def _list(found: dict[str, str]) -> Step:
    path = found.get("path", ".")
    return Step(say=_say_list, call_name="List", call_input={"path": path})


def _say_list(result: CallResult) -> str:
    if result.is_error:
        return _say_error(result)
    listing = result.output
    if not listing["entries"]:
        return "There are no files yet."
    lines = [f"- {entry}" for entry in listing["entries"]]
    more = ["(and more)"] if listing.get("truncated") else []
    where = "" if listing["path"] == "." else f" in {listing['path']}"
    return "\n".join([f"These are the files{where}:", "", *lines, *more])


def _read(found: dict[str, str]) -> Step:
    return Step(say=_say_read, call_name="Read", call_input={"file_path": found["path"]})


def _say_read(result: CallResult) -> str:
    if result.is_error:
        return _say_error(result)
    content = result.output["content"]
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall(r"`+", content)), default=0))
    return f"{result.output['file_path']} says:\n\n{fence}\n{content.rstrip()}\n{fence}"


def _write(found: dict[str, str]) -> Step:
    arguments = {"file_path": found["path"], "content": found.get("text", "") + "\n"}
    return Step(say=_say_write, call_name="Write", call_input=arguments)


def _overwrite(found: dict[str, str]) -> Step:
    arguments = {"file_path": found["path"], "content": found.get("text", "") + "\n", "overwrite": True}
    return Step(say=_say_write, call_name="Write", call_input=arguments)


def _say_write(result: CallResult) -> str:
    if result.is_error:
        return _say_error(result)
    return f"I wrote {result.output['bytes_written']} bytes to {result.output['file_path']}."


def _say_error(result: CallResult) -> str:
    return f"That did not work. {result.output['error_message']}"


_REQUESTS: list[tuple[str, Callable[[dict[str, str]], Step]]] = [
    (r"(?:list|show)(?: me)?(?: all)?(?: the)? files(?: (?:in|of|under) (?P<path>\S+))?", _list),
    (r"(?:ls|list)(?: (?P<path>\S+))?", _list),
    (r"(?:which|what) files are there(?: in (?P<path>\S+))?", _list),
    (
        r"(?:read|cat|open|show|print)(?: me)?(?: the)?(?: file)? (?P<path>\"[^\"]+\"|'[^']+'|`[^`]+`|\S+)",
        _read,
    ),
    (r"what(?: is|'s) in(?: the)?(?: file)? (?P<path>\S+)", _read),
    (r"(?:write|put|save) (?P<text>.*) (?:to|into|in|as)(?: the)?(?: file)? (?P<path>\S+)", _write),
    (r"(?:create|make)(?: the)?(?: file)? (?P<path>\S+) (?:with|containing|saying) (?P<text>.*)", _write),
    (r"(?:overwrite|replace)(?: the)?(?: file)? (?P<path>\S+) (?:with|by) (?P<text>.*)", _overwrite),
]
