"""A state directory behind JavaScript: OPFS in a browser, a folder in Node.

Only opening is asynchronous there. Calls on an open file return at once, because awaiting a
JavaScript promise costs more than most reads and writes do.
"""

import hashlib
from collections.abc import Sequence

from py_agent.errors import StorageFailed
from py_agent.hosts.browser.faults import js_faults
from py_agent.hosts.browser.js import JsAppendFile, JsBlobPack, JsStorage


class BrowserFile:
    def __init__(self, js: JsAppendFile) -> None:
        self._js = js

    @property
    def size(self) -> int:
        return int(self._js.size)

    async def read(self, offset: int, length: int) -> bytes:
        with js_faults():
            return self._js.read(offset, length).to_bytes()

    async def append(self, data: bytes) -> None:
        with js_faults():
            self._js.append(data)

    async def truncate(self, size: int) -> None:
        with js_faults():
            self._js.truncate(size)

    async def close(self) -> None:
        self._js.close()


class BrowserBlobs:
    def __init__(self, js: JsStorage) -> None:
        self._js = js
        self._opened: JsBlobPack | None = None

    async def put_many(self, blobs: Sequence[tuple[str, bytes]]) -> None:
        with js_faults():
            pack = await self._pack()
            # Nothing is awaited between the first write and the flush: no other batch comes between.
            for sha256, data in dict(blobs).items():
                if not pack.has(sha256):
                    pack.add(sha256, data)
            pack.sync()

    async def get(self, sha256: str) -> bytes:
        with js_faults():
            data = (await self._pack()).read(sha256).to_bytes()
        if hashlib.sha256(data).hexdigest() != sha256:
            raise StorageFailed(f"The blob {sha256} is damaged: its bytes do not have that hash.")
        return data

    async def has(self, sha256: str) -> bool:
        with js_faults():
            return (await self._pack()).has(sha256)

    async def _pack(self) -> JsBlobPack:
        if self._opened is None:
            self._opened = await self._js.blobs()
        return self._opened


class BrowserStorage:
    def __init__(self, js: JsStorage) -> None:
        self._js = js
        self._blobs = BrowserBlobs(js)

    @property
    def blobs(self) -> BrowserBlobs:
        return self._blobs

    async def open(self, path: str) -> BrowserFile:
        with js_faults():
            return BrowserFile(await self._js.open(path))

    async def read(self, path: str) -> bytes:
        with js_faults():
            return (await self._js.read(path)).to_bytes()

    async def write(self, path: str, data: bytes) -> None:
        with js_faults():
            await self._js.write(path, data)

    async def list(self, path: str) -> Sequence[str]:
        with js_faults():
            return sorted((await self._js.list(path)).to_py())

    async def remove(self, path: str) -> None:
        with js_faults():
            await self._js.remove(path)
