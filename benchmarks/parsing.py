"""Parsing: server-sent events per second, as a model streams them."""

import time
from collections.abc import Iterator

from benchmarks.figures import Figure, Goal, Reference
from benchmarks.sampling import Measured, medians
from benchmarks.scratch import Scratch
from py_agent.providers.sse import SseParser

_EVENT = b'data: {"choices":[{"index":0,"delta":{"content":"word "}}]}\n\n'
_CHUNK_BYTES = 4096


def measure(scratch: Scratch) -> Iterator[Figure]:
    stream = _EVENT * (scratch.sizes.deltas * 10)
    chunks = [stream[at : at + _CHUNK_BYTES] for at in range(0, len(stream), _CHUNK_BYTES)]
    found = medians(scratch.sizes.repeats, lambda: _parse(chunks), lambda: _split(stream))
    reference = Reference("decode and split of the whole stream", found["split"])
    yield Figure("server-sent events", found["parse"], "/s", reference, Goal(500_000, is_least=True))


def _parse(chunks: list[bytes]) -> Measured:
    parser, started = SseParser(), time.process_time()
    count = sum(len(parser.feed(chunk)) for chunk in chunks)
    return {"parse": count / (time.process_time() - started)}


def _split(stream: bytes) -> Measured:
    started = time.process_time()
    count = len(stream.decode().split("\n\n")) - 1
    return {"split": count / (time.process_time() - started)}
