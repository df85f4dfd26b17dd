"""HTTP/1.1 over asyncio's streams: reading requests, writing answers."""

import asyncio
import socket
import struct
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from tests.model_server.answers import Answer
from tests.model_server.steps import Pause, Wait

ENOUGH_BYTES = 64 * 1024
CORS = {"access-control-allow-origin": "*", "access-control-expose-headers": "*"}

Waiter = Callable[[Wait], Coroutine[Any, Any, None]]


@dataclass(frozen=True, slots=True)
class Head:
    method: str
    target: str
    headers: Mapping[str, str]

    @property
    def is_last(self) -> bool:
        return self.headers.get("connection", "").lower() == "close"


async def read_head(reader: asyncio.StreamReader) -> Head | None:
    """None where the connection ends instead; ValueError for what is not HTTP, such as the start of TLS."""
    try:
        start = await reader.readexactly(1)
        if not start.isalpha():
            raise ValueError("This is not HTTP.")
        text = (start + await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
    first, *lines = text[:-4].split("\r\n")
    method, target, _ = first.split(" ")
    pairs = (line.partition(":") for line in lines)
    return Head(method, target, {name.lower(): value.strip() for name, _, value in pairs})


async def read_body(reader: asyncio.StreamReader, head: Head) -> bytes:
    if "chunked" not in head.headers.get("transfer-encoding", ""):
        return await reader.readexactly(int(head.headers.get("content-length", 0)))
    body = b""
    while size := int((await reader.readline()).split(b";")[0], 16):
        body += await reader.readexactly(size)
        await reader.readline()
    await reader.readline()
    return body


async def write_answer(writer: asyncio.StreamWriter, answer: Answer, wait: Waiter) -> None:
    """All that is at hand goes out in one write."""
    is_chunked = answer.length is None and answer.status > 0
    pending = [_head(answer)] if answer.status else []
    size = 0
    for part in answer.body:
        if isinstance(part, bytes):
            if part:
                pending.append(b"%x\r\n%b\r\n" % (len(part), part) if is_chunked else part)
                size += len(part)
            if size < ENOUGH_BYTES:
                continue
        writer.write(b"".join(pending))
        pending, size = [], 0
        await writer.drain()
        await (asyncio.sleep(0) if isinstance(part, bytes) else wait(part))
    if is_chunked and answer.ending in {"whole", "leave"}:
        pending.append(b"0\r\n\r\n")
    writer.write(b"".join(pending))
    await _finish(writer, answer)


async def _finish(writer: asyncio.StreamWriter, answer: Answer) -> None:
    match answer.ending:
        case "reset":
            writer.transport.set_write_buffer_limits(high=0)
            await writer.drain()
            linger = struct.pack("ii", 1, 0)
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            writer.transport.abort()
        case "hang":
            await asyncio.Event().wait()
        case "close" | "leave":
            writer.close()
        case "whole":
            await writer.drain()


def _head(answer: Answer) -> bytes:
    framing = {"transfer-encoding": "chunked"} if answer.length is None else {"content-length": str(answer.length)}
    phrase = HTTPStatus(answer.status).phrase if answer.status in HTTPStatus._value2member_map_ else "Other"
    lines = [f"{name}: {value}" for name, value in {**CORS, **framing, **answer.headers}.items()]
    return "\r\n".join([f"HTTP/1.1 {answer.status} {phrase}", *lines, "", ""]).encode("latin-1")


async def wait_for(part: Wait, gates: Mapping[str, asyncio.Event]) -> None:
    if isinstance(part, Pause):
        await asyncio.sleep(part.seconds)
    else:
        await gates[part.name].wait()
