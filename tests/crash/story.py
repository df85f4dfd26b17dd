"""A session with a bit of everything, played from wherever its log ends; the same on every host."""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field, replace
from typing import Any

from py_agent.client import AgentClient, AgentOptions, AgentSession
from py_agent.core.events import Event, Result, UserMessage
from py_agent.core.limits import RunLimits
from py_agent.hosts.memory import CountingIds, StepClock
from py_agent.ports.gate import Answer, Question
from py_agent.ports.host import Host
from py_agent.tools.files import file_tools
from py_agent.tools.registry import Registry
from py_agent.tools.tool import Tool, ToolContext
from tests.scenes import call, script

LONG = "A line of a long text.\n" * 2000
WORDS = ("greet", "make files", "rewrite", "go on for ever", "spend too much")
STEPS: tuple[dict[str, Any], ...] = (
    {"text": "Hello."},
    {
        "text": "Three at once.",
        "calls": [
            {"name": "Write", "input": {"file_path": "a.txt", "content": "one"}},
            {"name": "Read", "input": {"file_path": "none.txt"}},
            {"name": "Write", "input": {"file_path": "b/c.txt", "content": "two"}},
        ],
    },
    {"text": "Made."},
    call("Write", file_path="a.txt", content=LONG, overwrite=True),
    call("Read", file_path="a.txt"),
    {"text": LONG},
    call("List", path="."),
    call("Write", file_path="d.txt", content="four"),
    call("Write", file_path="d.txt", content="five", overwrite=True),
    {**call("Write", file_path="never.txt", content="six"), "usage": {"input": 900, "output": 200}},
    {"text": "Good bye."},
)
LIMITS = RunLimits(max_steps=3, max_tokens=1000)
_LATER_IDS = 10**6
OnEvent = Callable[[Event], object]


def fixed(host: Host, *, is_later: bool = False) -> Host:
    """The host with a clock and ids that are the same in each run; one for later gives ids of its own."""
    return replace(host, clock=StepClock(), ids=CountingIds(_LATER_IDS if is_later else 1))


class StoppedError(Exception):
    """A run ended with an error, told as its result."""

    def __init__(self, result: Result) -> None:
        super().__init__(result.error_message)
        self.result = result


@dataclass(slots=True)
class Played:
    """What was seen while the story was played: stored events, questions, and which calls ran."""

    told: list[Event] = field(default_factory=list)
    asked: list[Question] = field(default_factory=list)
    ran: list[str] = field(default_factory=list)

    async def ask(self, question: Question) -> Answer:
        self.asked.append(question)
        return Answer(allowed=True)


async def play(host: Host, played: Played, *, on_event: OnEvent = lambda _: None) -> None:
    """Play what is left of the story, in its session or in a new one."""
    client = story_client(host, played)
    session_id = next(iter(await client.sessions.list()), None)
    async with await client.open(session_id) as session:
        await play_on(session, played, on_event=on_event)


async def play_on(session: AgentSession, played: Played, *, on_event: OnEvent = lambda _: None) -> None:
    """Resume what was cut off, then say the words not said yet."""
    if session.is_unfinished:
        await _follow(session.resume(), played, on_event)
    said = sum([isinstance(event, UserMessage) async for event in session.history()])
    for words in WORDS[said:]:
        await _follow(session.stream(words), played, on_event)


def story_client(host: Host, played: Played) -> AgentClient:
    tools = Registry(_noted(tool, played.ran) for tool in file_tools())
    options = AgentOptions(script(*STEPS), tools, permission_mode="default", approver=played, limits=LIMITS)
    return AgentClient(host, options)


def _noted(tool: Tool[Any], ran: list[str]) -> Tool[Any]:
    async def run(arguments: Any, context: ToolContext) -> Any:
        ran.append(context.tool_use_id)
        return await tool.run(arguments, context)

    return replace(tool, run=run)


async def _follow(events: AsyncIterator[Event], played: Played, on_event: OnEvent) -> None:
    last: Event | None = None
    async for event in events:
        if event.seq is not None:
            played.told.append(event)
            on_event(event)
        last = event
    if isinstance(last, Result) and last.stop_reason == "error":
        raise StoppedError(last)
