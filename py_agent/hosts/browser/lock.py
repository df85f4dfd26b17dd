"""Locks: Web Locks in a browser, lock files in Node."""

from py_agent.hosts.browser.faults import js_faults
from py_agent.hosts.browser.js import JsLock, JsLocks


class BrowserLock:
    def __init__(self, js: JsLock) -> None:
        self._js: JsLock | None = js

    async def release(self) -> None:
        js, self._js = self._js, None
        if js is not None:
            with js_faults():
                await js.release()


class BrowserLocks:
    def __init__(self, js: JsLocks) -> None:
        self._js = js

    async def acquire(self, name: str) -> BrowserLock:
        with js_faults():
            return BrowserLock(await self._js.acquire(name))
