"""Http over sockets: a pool of connections for each event loop, made when the first request is sent."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from py_agent.ports.http import HttpRequest, HttpResponse

if TYPE_CHECKING:
    from py_agent.hosts.cpython.http_pool import Pool

_AGES_SECONDS = 10**8


class SocketHttp:
    """A request that got no response is sent once more, on a fresh connection, only if its method makes that harmless.
    A POST never is: whoever sent it knows what sending it twice would do.

    `https_proxy`, `http_proxy` and `no_proxy` of the environment are obeyed, but never for this machine itself;
    `.netrc` is not read, because who is told which secret is the caller's to say.

    What nobody closed is closed with its event loop."""

    def __init__(self) -> None:
        self._opened: dict[asyncio.AbstractEventLoop, _Opened] = {}

    @asynccontextmanager
    async def send(self, request: HttpRequest) -> AsyncIterator[HttpResponse]:
        pool = await self._pool()
        async with pool.send(request) as response:
            yield response

    async def close(self) -> None:
        if opened := self._opened.pop(asyncio.get_running_loop(), None):
            opened.held.cancel()
            await opened.life.aclose()

    async def _pool(self) -> "Pool":
        loop = asyncio.get_running_loop()
        if loop not in self._opened:
            # Loading takes a tenth of a second, in which nothing else should stand still.
            kind = await asyncio.to_thread(_load)
            if loop not in self._opened:
                for ended in [at for at in self._opened if at.is_closed()]:
                    del self._opened[ended]
                self._opened[loop] = await _open(kind)
        return self._opened[loop].pool


@dataclass(frozen=True, slots=True)
class _Opened:
    """A loop that ends closes the generators it started. It does not keep them, so a timer does: what was collected
    together with its host could not be closed before."""

    pool: "Pool"
    life: "AsyncGenerator[Pool, None]"
    held: asyncio.TimerHandle


async def _open(kind: "type[Pool]") -> _Opened:
    life = _live(kind)
    held = asyncio.get_running_loop().call_later(_AGES_SECONDS, id, life)
    return _Opened(await anext(life), life, held)


async def _live(kind: "type[Pool]") -> "AsyncGenerator[Pool, None]":
    pool = kind()
    try:
        yield pool
    finally:
        await pool.close()


def _load() -> "type[Pool]":
    from py_agent.hosts.cpython.http_pool import Pool

    return Pool
