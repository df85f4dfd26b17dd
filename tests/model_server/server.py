"""The server: connections, its own pages for tests, and the scenarios."""

import asyncio
import json
import socket
import threading
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from typing import Any, Self
from urllib.parse import urlsplit

from tests.model_server import faults, odd_streams  # noqa: F401 - they add their scenarios
from tests.model_server.answers import Answer, Ask, error_answer, json_answer, split_target
from tests.model_server.records import Connection, Record, Records
from tests.model_server.scenarios import SCENARIOS
from tests.model_server.steps import Step, Wait, read_steps
from tests.model_server.wire import Head, read_body, read_head, wait_for, write_answer

PREFLIGHT = {"access-control-allow-methods": "*", "access-control-max-age": "600"}


class ModelServer:
    """Runs in a thread of its own from `with` to its end. `url` has no slash at its end."""

    def __init__(self, port: int = 0) -> None:
        self.records = Records()
        self.scripts: dict[str, Sequence[Step]] = {}
        self._gates: dict[str, asyncio.Event] = defaultdict(asyncio.Event)
        self._numbers = count(1)
        self._tasks: set[asyncio.Task[None]] = set()
        self._listening = socket.create_server(("127.0.0.1", port))
        # Bound and never listened on: whoever connects is refused, and nobody else gets the port.
        self._refusing = socket.socket()
        self._refusing.bind(("127.0.0.1", 0))
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True)
        self._started = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._listening.getsockname()[1]}"

    @property
    def refusing_url(self) -> str:
        """Where nothing listens."""
        return f"http://127.0.0.1:{self._refusing.getsockname()[1]}"

    def open_gate(self, name: str) -> None:
        self._loop.call_soon_threadsafe(self._gates[name].set)

    def __enter__(self) -> Self:
        self._thread.start()
        self._started.wait()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stopped.set)
        self._thread.join()
        self._refusing.close()

    async def _run(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._stopped = asyncio.Event()
        server = await self._loop.create_server(self._new_protocol, sock=self._listening)
        self._started.set()
        await self._stopped.wait()
        server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _new_protocol(self) -> asyncio.Protocol:
        connection = Connection(next(self._numbers))

        def begin(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = self._loop.create_task(self._serve(connection, reader, writer))
            self._tasks.add(task)
            protocol.task = task
            task.add_done_callback(self._tasks.discard)

        protocol = _Watched(connection, begin)
        return protocol

    async def _serve(self, connection: Connection, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await read_head(reader):
                began = time.time()
                body = await read_body(reader, head)
                number = self.records.next_number()
                record = Record(number, connection, head.method, head.target, dict(head.headers), body, began)
                answer = await self._answer(head, record)
                await write_answer(writer, answer, self._wait)
                if answer.ending != "whole" or head.is_last:
                    break
        except (ConnectionError, asyncio.IncompleteReadError):
            return
        except ValueError as error:
            await write_answer(writer, error_answer(400, str(error)), self._wait)
        finally:
            writer.close()

    async def _wait(self, part: Wait) -> None:
        await wait_for(part, self._gates)

    async def _answer(self, head: Head, record: Record) -> Answer:
        if head.method == "OPTIONS":
            allowed = {"access-control-allow-headers": head.headers.get("access-control-request-headers", "*")}
            return Answer(headers=PREFLIGHT | allowed, length=0)
        name, *rest = urlsplit(head.target).path.strip("/").split("/")
        if name in {"requests", "arrivals", "scripts", "gates", "refusing"}:
            return await self._own_page(head.method, record, name, *rest)
        answer = self._play(record)
        return replace(answer, body=(), length=0) if head.method == "HEAD" else answer

    async def _own_page(self, method: str, record: Record, name: str, argument: str = "", *_: str) -> Answer:
        match method, name:
            case "GET", "requests" if argument:
                found = await self.records.wait_for_end(int(argument))
                return json_answer(found.shown()) if found else error_answer(404, "There is no such request.")
            case "GET", "requests" | "arrivals":
                await self.records.wait_for(int(argument or 0))
                return json_answer([each.shown() for each in self.records])
            case "DELETE", "requests":
                self.records.clear()
            case "PUT", "scripts":
                self.scripts[argument] = read_steps(json.loads(record.body))
            case "POST", "gates":
                self._gates[argument].set()
            case "GET", "refusing":
                return json_answer({"url": self.refusing_url})
            case _:
                return error_answer(405, f"{method} cannot be done to {name}.")
        return json_answer({})

    def _play(self, record: Record) -> Answer:
        prefix, endpoint = split_target(record.target)
        ask = Ask(record, prefix, endpoint, self.records.add(record), self.scripts)
        name, parameters = ask.scenario
        if name not in SCENARIOS:
            return error_answer(404, f"There is no scenario {name}; there are {', '.join(sorted(SCENARIOS))}.")
        try:
            return SCENARIOS[name](ask, *parameters)
        except (TypeError, ValueError, KeyError, AttributeError) as error:
            return error_answer(400, f"{type(error).__name__}: {error}")


class _Watched(asyncio.StreamReaderProtocol):
    """Notes when the other side ends the connection, and ends what is being done for it."""

    task: asyncio.Task[None] | None = None

    def __init__(self, connection: Connection, begin: Any) -> None:
        super().__init__(asyncio.StreamReader(limit=2**20), begin)
        self._connection = connection

    def eof_received(self) -> bool:
        super().eof_received()
        self._connection.end()
        return False

    def connection_lost(self, error: Exception | None) -> None:
        self._connection.end()
        super().connection_lost(error)
        if self.task is not None:
            self.task.cancel()
