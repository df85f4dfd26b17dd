"""Http by `fetch`, in a browser or in Node."""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from py_agent.hosts.browser.faults import js_faults
from py_agent.hosts.browser.js import JsExchange, JsHttp
from py_agent.ports.http import HttpRequest


class BrowserResponse:
    def __init__(self, js: JsExchange, status: int, headers: Mapping[str, str]) -> None:
        self._js = js
        self._status = status
        self._headers = headers

    @property
    def status(self) -> int:
        return self._status

    @property
    def headers(self) -> Mapping[str, str]:
        return self._headers

    async def chunks(self) -> AsyncIterator[bytes]:
        with js_faults():
            while (chunk := await self._js.read()) is not None:
                yield chunk.to_bytes()


class BrowserHttp:
    def __init__(self, js: JsHttp) -> None:
        self._js = js

    @asynccontextmanager
    async def send(self, request: HttpRequest) -> AsyncIterator[BrowserResponse]:
        # It begins before anything is awaited: whoever is cancelled while waiting has something to abort.
        exchange = self._js.begin(request.url, request.method, json.dumps(dict(request.headers)), request.body)
        try:
            with js_faults():
                head = json.loads(await exchange.head())
            yield BrowserResponse(exchange, head["status"], head["headers"])
        finally:
            exchange.abort()

    async def close(self) -> None:
        self._js.close()
