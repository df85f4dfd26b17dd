"""A state directory that JavaScript keeps: in OPFS in a tab, in real files under Node.

Most calls do not wait for a promise: the handles behind them are synchronous.
"""

import hashlib
from collections.abc import Iterable, Sequence
from typing import Protocol

from py_agent.errors import StorageFailed
from py_agent.hosts.browser.faults import js_faults


class JsBytes(Protocol):
    def to_bytes(self) -> bytes: ...


class JsFile(Protocol):
    def getSize(self) -> int: ...  # noqa: N802
    def read(self, offset: int, length: int) -> JsBytes: ...
    def append(self, data: bytes) -> None: ...
    def truncate(self, size: int) -> None: ...
    def close(self) -> None: ...


class JsBlobs(Protocol):
    def has(self, sha256: str) -> bool: ...
    def stage(self, sha256: str, data: bytes) -> None: ...
    def flush(self) -> None: ...
    def get(self, sha256: str) -> JsBytes: ...


class JsStorage(Protocol):
    @property
    def blobs(self) -> JsBlobs: ...

    async def open(self, path: str) -> JsFile: ...
    async def read(self, path: str) -> JsBytes: ...
    async def write(self, path: str, data: bytes) -> None: ...
    async def list(self, path: str) -> Iterable[str]: ...
    async def remove(self, path: str) -> None: ...


class WebFile:
    def __init__(self, file: JsFile) -> None:
        self._file = file

    @property
    def size(self) -> int:
        return self._file.getSize()

    async def read(self, offset: int, length: int) -> bytes:
        with js_faults():
            return self._file.read(offset, length).to_bytes()

    async def append(self, data: bytes) -> None:
        with js_faults():
            self._file.append(data)

    async def truncate(self, size: int) -> None:
        with js_faults():
            self._file.truncate(size)

    async def close(self) -> None:
        self._file.close()


class WebBlobs:
    def __init__(self, blobs: JsBlobs) -> None:
        self._blobs = blobs

    async def put_many(self, blobs: Sequence[tuple[str, bytes]]) -> None:
        with js_faults():
            for sha256, data in blobs:
                self._blobs.stage(sha256, data)
            self._blobs.flush()

    async def get(self, sha256: str) -> bytes:
        with js_faults():
            data = self._blobs.get(sha256).to_bytes()
        if hashlib.sha256(data).hexdigest() != sha256:
            raise StorageFailed(f"The blob {sha256} is damaged: its bytes do not have that hash.")
        return data

    async def has(self, sha256: str) -> bool:
        return self._blobs.has(sha256)


class WebStorage:
    def __init__(self, storage: JsStorage) -> None:
        self._storage = storage
        self._blobs = WebBlobs(storage.blobs)

    @property
    def blobs(self) -> WebBlobs:
        return self._blobs

    async def open(self, path: str) -> WebFile:
        with js_faults():
            return WebFile(await self._storage.open(path))

    async def read(self, path: str) -> bytes:
        with js_faults():
            return (await self._storage.read(path)).to_bytes()

    async def write(self, path: str, data: bytes) -> None:
        with js_faults():
            await self._storage.write(path, data)

    async def list(self, path: str) -> Sequence[str]:
        with js_faults():
            return [str(name) for name in await self._storage.list(path)]

    async def remove(self, path: str) -> None:
        with js_faults():
            await self._storage.remove(path)
