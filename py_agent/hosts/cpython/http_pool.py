"""Connections of one event loop, by aiohttp: what a request becomes there, and what is made of its response."""

import asyncio
import ipaddress
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from urllib.parse import urlsplit
from urllib.request import getproxies_environment, proxy_bypass

import aiohttp
from aiohttp.connector import Connection

from py_agent.errors import UsageError
from py_agent.hosts.cpython.http_faults import CONNECT_SECONDS, body_faults, head_faults
from py_agent.ports.http import HttpRequest

_HEADER_BYTES = 64 * 1024
_PIECE_BYTES = 64 * 1024


class Pool:
    """Must be made inside the event loop that uses it."""

    def __init__(self) -> None:
        self._proxies = getproxies_environment()
        self._open: set[aiohttp.ClientResponse] = set()
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0),
            cookie_jar=aiohttp.DummyCookieJar(),
            headers={"User-Agent": "py-agent"},
            skip_auto_headers=["Content-Type"],
            timeout=aiohttp.ClientTimeout(total=None, connect=CONNECT_SECONDS),
            response_class=_AbortingResponse,
            max_line_size=_HEADER_BYTES,
            max_field_size=_HEADER_BYTES,
        )

    @asynccontextmanager
    async def send(self, request: HttpRequest) -> AsyncIterator["PooledResponse"]:
        # Two turns of the loop: a kept connection that the server has closed by now is known to be before it is chosen.
        for _ in range(2):
            await asyncio.sleep(0)
        proxy = self._proxy_for(request.url) if self._proxies else None
        with head_faults(request, proxy):
            response = await self._session.request(
                request.method,
                request.url,
                headers=_headers(request),
                data=_pieces(request.body) if len(request.body) > _PIECE_BYTES else request.body or None,
                allow_redirects=False,
                proxy=proxy,
            )
        self._open.add(response)
        try:
            yield PooledResponse(request, response)
        finally:
            self._open.discard(response)
            _abort(response.connection)
            response.close()

    async def close(self) -> None:
        for response in self._open:
            _abort(response.connection)
        # In this turn of the loop they learn that they are broken off; the session's own way leaves readers waiting.
        await asyncio.sleep(0)
        await self._session.close()

    def _proxy_for(self, url: str) -> str | None:
        parts = urlsplit(url)
        host = parts.hostname or ""
        if is_loopback(host) or proxy_bypass(host):
            return None
        proxy = self._proxies.get(parts.scheme.lower())
        if proxy and not proxy.lower().startswith(("http://", "https://")):
            raise UsageError(f"{parts.scheme}_proxy names a proxy that cannot be used; it must begin with http://.")
        return proxy


def _headers(request: HttpRequest) -> Mapping[str, str]:
    return {**request.headers, "Content-Length": str(len(request.body))} if request.body else request.headers


async def _pieces(body: bytes) -> AsyncIterator[bytes]:
    """What a transport is given in one piece it takes out of its buffer in many, moving the rest each time."""
    for at in range(0, len(body), _PIECE_BYTES):
        yield body[at : at + _PIECE_BYTES]


class PooledResponse:
    def __init__(self, request: HttpRequest, response: aiohttp.ClientResponse) -> None:
        self._request = request
        self._response = response

    @property
    def status(self) -> int:
        return self._response.status

    @property
    def headers(self) -> Mapping[str, str]:
        found: dict[str, str] = {}
        for name, value in self._response.headers.items():
            lowered = name.lower()
            found[lowered] = f"{found[lowered]}, {value}" if lowered in found else value
        return found

    async def chunks(self) -> AsyncIterator[bytes]:
        with body_faults(self._request):
            async for chunk in self._response.content.iter_any():
                yield chunk


class _AbortingResponse(aiohttp.ClientResponse):
    """A request that is given up before its head came is not sent to its end first."""

    async def start(self, connection: Connection) -> aiohttp.ClientResponse:
        transport = connection.transport
        try:
            return await super().start(connection)
        except BaseException:
            if transport is not None:
                transport.abort()
            raise


def _abort(connection: Connection | None) -> None:
    """A response that was read to its end has given its connection back and has none."""
    if connection is not None and connection.transport is not None:
        connection.transport.abort()


def is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
