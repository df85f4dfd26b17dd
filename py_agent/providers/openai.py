"""A model behind an OpenAI-compatible endpoint, asked in the Responses format or, where that is missing, as a chat."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Iterable
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from typing import Literal

from py_agent.errors import BadAnswer, ConnectionLost, ModelError, ModelRefused, ModelUnavailable, NetworkError
from py_agent.ports.clock import Clock
from py_agent.ports.http import Http, HttpRequest, HttpResponse
from py_agent.providers.chat import ChatWire
from py_agent.providers.endpoint import Endpoint, lacks_path, parse_object
from py_agent.providers.model import Done, ModelPart, ModelRequest
from py_agent.providers.responses import ResponsesWire
from py_agent.providers.sse import ServerEvent, SseParser
from py_agent.providers.wire import Reader, Wire

WireFormat = Literal["auto", "responses", "chat"]
IDLE_SECONDS = 300.0
_LINGER_SECONDS = 0.25
_MAX_ERROR_BYTES = 64 * 1024
MAX_ANSWER_BYTES = 64 * 2**20


class _NoSuchPath(Exception):
    """The endpoint does not know the format's path."""


class OpenAIModel:
    """`auto` asks in the Responses format, or as a chat where that is missing; what was found out is kept."""

    def __init__(
        self,
        endpoint: Endpoint,
        model: str,
        *,
        http: Http,
        clock: Clock,
        wire_format: WireFormat = "auto",
        is_streamed: bool = True,
        store: bool = False,
        idle_seconds: float = IDLE_SECONDS,
    ) -> None:
        self._endpoint = endpoint
        self._model = model
        self._http = http
        self._clock = clock
        self._wire_format = wire_format
        self._is_streamed = is_streamed
        self._store = store
        self._idle_seconds = idle_seconds

    @property
    def name(self) -> str:
        return self._model

    @property
    def endpoint(self) -> str:
        """The base URL."""
        return self._endpoint.base_url

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelPart, None]:
        wires = self._wires()
        for wire in wires:
            try:
                async with aclosing(self._ask(wire, request)) as parts:
                    async for part in parts:
                        yield part
            except _NoSuchPath:
                continue
            self._wire_format = "chat" if isinstance(wire, ChatWire) else "responses"
            return
        raise ModelRefused(
            f"{self._endpoint.base_url} is not an OpenAI-compatible endpoint: it has no {wires[-1].path}. "
            "Check the base URL; it often ends in /v1."
        )

    def _wires(self) -> list[Wire]:
        """The formats to try, in order; once one was understood, that one alone."""
        chat, responses = ChatWire(), ResponsesWire(self._store)
        match self._wire_format:
            case "chat":
                return [chat]
            case "responses":
                return [responses]
        return [responses, chat]

    async def _ask(self, wire: Wire, request: ModelRequest) -> AsyncGenerator[ModelPart, None]:
        """One request and its response, with whatever goes wrong put into words."""
        base_url = self._endpoint.base_url
        try:
            async with (
                self._responding(wire, request) as response,
                aclosing(self._read(response, wire.reader(request))) as parts,
            ):
                async for part in parts:
                    yield part
        except TimeoutError as error:
            raise ModelUnavailable(f"{base_url} sent nothing for {self._idle_seconds:g} seconds.") from error
        except NetworkError as error:
            raise ModelUnavailable(self._endpoint.clean(str(error))) from error
        except ModelError as error:
            error.args = (self._endpoint.clean(str(error)),)
            raise

    @asynccontextmanager
    async def _responding(self, wire: Wire, request: ModelRequest) -> AsyncIterator[HttpResponse]:
        """The response, once its head says that it is an answer."""
        url = self._endpoint.base_url + wire.path
        headers = {"content-type": "application/json", "accept": "text/event-stream", **self._endpoint.headers}
        body = wire.body(request, stream=self._is_streamed)
        async with AsyncExitStack() as stack:
            async with asyncio.timeout(self._idle_seconds):
                sent = self._http.send(HttpRequest(url, "POST", headers, body))
                response = await stack.enter_async_context(sent)
            if response.status != 200:
                said = await self._read_all(response, _MAX_ERROR_BYTES)
                if lacks_path(response.status, said, model=request.model):
                    raise _NoSuchPath
                raise self._endpoint.refusal(response, said, model=request.model, now=self._clock.now())
            yield response

    async def _read(self, response: HttpResponse, reader: Reader) -> AsyncGenerator[ModelPart, None]:
        """The parts of a streamed answer, or of one that came whole, asked for or not."""
        content_type = response.headers.get("content-type", "")
        if self._is_streamed and "json" not in content_type and "html" not in content_type:
            async with aclosing(self._read_stream(response, reader)) as parts:
                async for part in parts:
                    yield part
            return
        body = await self._read_all(response, MAX_ANSWER_BYTES)
        if lacks_path(200, body, model=self._model):
            raise _NoSuchPath
        data = parse_object(body)
        if data is None:
            text = f"{self._endpoint.base_url} answered with something that is no model's answer"
            raise BadAnswer(f"{text} ({content_type or 'of no type'}). Check the base URL; it often ends in /v1.")
        for part in reader.take_whole(data):
            yield part

    async def _read_stream(self, response: HttpResponse, reader: Reader) -> AsyncGenerator[ModelPart, None]:
        async with aclosing(self._events(response)) as batches:
            async for events in batches:
                for event in events:
                    for part in _parts(reader, event.data):
                        yield part
                        if isinstance(part, Done):
                            await _linger(batches)
                            return
        for part in reader.end(is_said=False):
            yield part
            if isinstance(part, Done):
                return
        raise ConnectionLost(f"The answer of {self._endpoint.base_url} broke off.")

    async def _events(self, response: HttpResponse) -> AsyncGenerator[list[ServerEvent], None]:
        """Events as they arrive. A line is a sign of life; single bytes, as a stalled server drips them, are not."""
        loop, parser = asyncio.get_running_loop(), SseParser()
        deadline = loop.time() + self._idle_seconds
        chunks, size = response.chunks(), 0
        while chunk := await _next_chunk(chunks, deadline):
            events = parser.feed(chunk)
            size += len(chunk)
            if size > MAX_ANSWER_BYTES:
                raise BadAnswer(f"The answer of {self._endpoint.base_url} does not end; it was left.")
            if parser.took_line:
                deadline = loop.time() + self._idle_seconds
            if events:
                yield events

    async def _read_all(self, response: HttpResponse, max_bytes: int) -> bytes:
        loop, body, chunks = asyncio.get_running_loop(), bytearray(), response.chunks()
        while len(body) < max_bytes and (chunk := await _next_chunk(chunks, loop.time() + self._idle_seconds)):
            body += chunk
        return bytes(body[:max_bytes])


def _parts(reader: Reader, data: str) -> Iterable[ModelPart]:
    if data == "[DONE]":
        return reader.end(is_said=True)
    parsed = parse_object(data)
    return () if parsed is None else reader.take(parsed)


async def _next_chunk(chunks: AsyncIterator[bytes], deadline: float) -> bytes:
    """The next chunk that has something in it; nothing at the end."""
    async with asyncio.timeout_at(deadline):
        async for chunk in chunks:
            if chunk:
                return chunk
    return b""


async def _linger(batches: AsyncIterator[object]) -> None:
    """Read on to the end of a response that has said all, so that its connection can be used again."""
    with contextlib.suppress(TimeoutError, NetworkError, BadAnswer):
        async with asyncio.timeout(_LINGER_SECONDS):
            async for _ in batches:
                continue
