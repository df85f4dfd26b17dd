"""A state directory in memory."""

from collections.abc import Sequence

from py_agent.errors import StorageMissing


class MemoryFile:
    def __init__(self, data: bytearray) -> None:
        self._data = data

    @property
    def size(self) -> int:
        return len(self._data)

    async def read(self, offset: int, length: int) -> bytes:
        return bytes(self._data[offset : offset + length])

    async def append(self, data: bytes) -> None:
        self._data += data

    async def truncate(self, size: int) -> None:
        del self._data[size:]

    async def close(self) -> None:
        return None


class MemoryBlobs:
    def __init__(self) -> None:
        self._blobs: dict[str, bytes] = {}

    async def put_many(self, blobs: Sequence[tuple[str, bytes]]) -> None:
        for sha256, data in blobs:
            self._blobs.setdefault(sha256, bytes(data))

    async def get(self, sha256: str) -> bytes:
        try:
            return self._blobs[sha256]
        except KeyError:
            raise StorageMissing(f"There is no blob {sha256} in memory.") from None

    async def has(self, sha256: str) -> bool:
        return sha256 in self._blobs


class MemoryStorage:
    def __init__(self) -> None:
        self.files: dict[str, bytearray] = {}
        self._blobs = MemoryBlobs()

    @property
    def blobs(self) -> MemoryBlobs:
        return self._blobs

    async def open(self, path: str) -> MemoryFile:
        return MemoryFile(self.files.setdefault(path, bytearray()))

    async def read(self, path: str) -> bytes:
        try:
            return bytes(self.files[path])
        except KeyError:
            raise StorageMissing(f"There is no file {path} in memory.") from None

    async def write(self, path: str, data: bytes) -> None:
        self.files[path] = bytearray(data)

    async def list(self, path: str) -> Sequence[str]:
        prefix = f"{path}/" if path else ""
        below = (name[len(prefix) :] for name in self.files if name.startswith(prefix))
        return sorted({name.partition("/")[0] for name in below})

    async def remove(self, path: str) -> None:
        for name in [name for name in self.files if name == path or name.startswith(f"{path}/")]:
            del self.files[name]
