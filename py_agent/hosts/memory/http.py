"""Http in memory: a function of the caller's answers, for tests that need no server."""

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from py_agent.errors import Unreachable
from py_agent.ports.http import HttpRequest


@dataclass(frozen=True, slots=True)
class MemoryResponse:
    """A body that is a generator may raise ConnectionLost; it is closed when the response is left."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | AsyncGenerator[bytes, None] = b""

    async def chunks(self) -> AsyncIterator[bytes]:
        if isinstance(self.body, bytes):
            if self.body:
                yield self.body
            return
        async for chunk in self.body:
            yield chunk


Answer = Callable[[HttpRequest], Awaitable[MemoryResponse]]


async def refuse(request: HttpRequest) -> MemoryResponse:
    raise Unreachable(f"{request.origin} cannot be reached from memory; give MemoryHttp a function that answers.")


class MemoryHttp:
    """`answer` may raise Unreachable. `requests` is what was sent so far."""

    def __init__(self, answer: Answer = refuse) -> None:
        self.requests: list[HttpRequest] = []
        self._answer = answer

    @asynccontextmanager
    async def send(self, request: HttpRequest) -> AsyncIterator[MemoryResponse]:
        self.requests.append(request)
        response = await self._answer(request)
        lowered = {name.lower(): value for name, value in response.headers.items()}
        try:
            yield MemoryResponse(response.status, lowered, response.body)
        finally:
            if not isinstance(response.body, bytes):
                await response.body.aclose()

    async def close(self) -> None:
        return None
