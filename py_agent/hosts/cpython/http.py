"""Http over sockets: a pool of connections for each event loop, made when the first request is sent."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from py_agent.ports.http import HttpRequest, HttpResponse

if TYPE_CHECKING:
    from py_agent.hosts.cpython.http_pool import Pool


class SocketHttp:
    """A request that got no response is sent once more, on a fresh connection, only if its method makes that harmless.
    A POST never is: whoever sent it knows what sending it twice would do.

    `https_proxy`, `http_proxy` and `no_proxy` of the environment are obeyed, but never for this machine itself;
    `.netrc` is not read, because who is told which secret is the caller's to say."""

    def __init__(self) -> None:
        self._pools: dict[asyncio.AbstractEventLoop, tuple[Pool, AsyncGenerator[Pool, None]]] = {}

    @asynccontextmanager
    async def send(self, request: HttpRequest) -> AsyncIterator[HttpResponse]:
        pool = await self._pool()
        async with pool.send(request) as response:
            yield response

    async def close(self) -> None:
        if opened := self._pools.get(asyncio.get_running_loop()):
            await opened[1].aclose()

    async def _pool(self) -> "Pool":
        loop = asyncio.get_running_loop()
        if loop not in self._pools:
            # Loading takes a tenth of a second, in which nothing else should stand still.
            kind = await asyncio.to_thread(_load)
            if loop not in self._pools:
                life = self._opened(kind)
                self._pools[loop] = await anext(life), life
        return self._pools[loop][0]

    async def _opened(self, kind: "type[Pool]") -> "AsyncGenerator[Pool, None]":
        """A generator, because a loop that ends closes those it started: a host that nobody closes leaves nothing."""
        pool = kind()
        try:
            yield pool
        finally:
            del self._pools[asyncio.get_running_loop()]
            await pool.close()


def _load() -> "type[Pool]":
    from py_agent.hosts.cpython.http_pool import Pool

    return Pool
