"""The entry that the browser's worker calls: one session, driven by messages of JSON text."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable

from py_agent.client import AgentClient, AgentOptions, AgentSession
from py_agent.core.events import Event, dump_event
from py_agent.core.inputs import (
    AnswerInput,
    CancelInput,
    FilesInput,
    Input,
    ReadInput,
    ResumeInput,
    RunInput,
    parse_input,
)
from py_agent.core.paths import WorkspacePath
from py_agent.errors import BadFile, CorruptSessionLog, PyAgentError, UsageError
from py_agent.hosts.browser import JsHost, browser_host
from py_agent.ports.gate import Answer, Question

Send = Callable[[str], object]
Handle = Callable[[str], None]


async def start(js_host: JsHost, send: Send) -> Handle:
    """Open the newest session, or a first one, tell its history, and give the function that takes messages."""
    host = browser_host(js_host)
    approver = PageApprover()
    client = AgentClient(host, AgentOptions(approver=approver))
    session, notice = await _open_newest(client)
    worker = Worker(session, approver, send)
    await worker.greet(notice)
    return worker.handle


async def _open_newest(client: AgentClient) -> tuple[AgentSession, str]:
    """The newest session; of a damaged one, a new session with all of it that could be read, and a word on that."""
    newest = await client.newest()
    try:
        return await client.open(newest), ""
    except (BadFile, CorruptSessionLog):
        assert newest is not None
        session_id, lost = await client.repair_session(newest)
        notice = f"Your last session was damaged. {len(lost)} of its entries were lost; this copy holds the rest."
        return await client.open(session_id), notice


class PageApprover:
    """Waits for the page to answer a question, which it learns of as an event."""

    def __init__(self) -> None:
        self._waiting: dict[str, asyncio.Future[Answer]] = {}

    async def ask(self, question: Question) -> Answer:
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting[question.question_id] = answer
        try:
            return await answer
        finally:
            del self._waiting[question.question_id]

    def answer(self, question_id: str, answer: Answer) -> None:
        waiting = self._waiting.get(question_id)
        if waiting is None or waiting.done():
            raise UsageError("That question is not open any more.")
        waiting.set_result(answer)


class Worker:
    def __init__(self, session: AgentSession, approver: PageApprover, send: Send) -> None:
        self._session = session
        self._approver = approver
        self._send = send
        self._tasks: set[asyncio.Task[None]] = set()

    async def greet(self, notice: str) -> None:
        async for event in self._session.history():
            self._tell_event(event)
        self._tell(
            type="ready",
            session_id=self._session.session_id,
            is_unfinished=self._session.is_unfinished,
            notice=notice,
        )

    def handle(self, text: str) -> None:
        """Take one input from the page; what goes wrong is told as an `error` message."""
        task = asyncio.ensure_future(self._answer(text))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _answer(self, text: str) -> None:
        try:
            await self._take(parse_input(text))
        except PyAgentError as error:
            self._tell(type="error", message=str(error))

    async def _take(self, given: Input) -> None:
        match given:
            case RunInput():
                await self._follow(self._session.stream(given.text))
            case ResumeInput():
                await self._follow(self._session.resume())
            case CancelInput():
                self._session.cancel()
            case AnswerInput():
                answer = Answer(given.allowed, given.message, given.interrupt)
                self._approver.answer(given.question_id, answer)
            case FilesInput():
                self._tell_files()
            case ReadInput():
                await self._tell_file(given.path)

    async def _follow(self, events: AsyncIterator[Event]) -> None:
        async for event in events:
            self._tell_event(event)

    def _tell_files(self) -> None:
        tree = self._session.workspace.tree
        files = [{"path": path, "kind": tree[path].kind, "size": tree[path].size} for path in sorted(tree)]
        self._tell(type="files", files=files)

    async def _tell_file(self, path: WorkspacePath) -> None:
        data = await self._session.workspace.read(path)
        self._tell(type="file", path=path, text=data.decode(errors="replace"))

    def _tell_event(self, event: Event) -> None:
        self._send(f'{{"type":"event","event":{dump_event(event).decode()}}}')

    def _tell(self, **message: object) -> None:
        self._send(json.dumps(message, ensure_ascii=False))
