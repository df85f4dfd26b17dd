"""Lists of changes too long for their event: a blob of lines, each a JSON array of some of them."""

import asyncio
from collections.abc import Sequence

from pydantic import TypeAdapter

from py_agent.core.changes import Change

_CHANGES = TypeAdapter(tuple[Change, ...])
_PER_LINE = 200


async def dump_changes(changes: Sequence[Change]) -> bytes:
    lines: list[bytes] = []
    for start in range(0, len(changes), _PER_LINE):
        if start:
            await asyncio.sleep(0)
        lines.append(_CHANGES.dump_json(tuple(changes[start : start + _PER_LINE]), exclude_none=True))
    return b"\n".join(lines)


async def parse_changes(data: bytes) -> tuple[Change, ...]:
    changes: list[Change] = []
    for line in data.split(b"\n"):
        changes += _CHANGES.validate_json(line)
        await asyncio.sleep(0)
    return tuple(changes)
