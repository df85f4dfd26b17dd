"""Locks of the browser or of Node."""

from typing import Protocol

from py_agent.hosts.browser.faults import js_faults


class JsLock(Protocol):
    def release(self) -> None: ...


class JsLocks(Protocol):
    async def acquire(self, name: str) -> JsLock: ...


class WebLock:
    def __init__(self, lock: JsLock) -> None:
        self._lock: JsLock | None = lock

    async def release(self) -> None:
        if self._lock is not None:
            self._lock.release()
            self._lock = None


class WebLocks:
    def __init__(self, locks: JsLocks) -> None:
        self._locks = locks

    async def acquire(self, name: str) -> WebLock:
        with js_faults():
            return WebLock(await self._locks.acquire(name))
