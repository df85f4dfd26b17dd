"""Text diffs for people: hunks of lines, found in bounded time whatever the text."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from py_agent.core.changes import Change
from py_agent.core.trees import TreeEntry
from py_agent.ports.storage import Blobs

MAX_TEXT_BYTES = 2**20
_MAX_LINES = 20_000
_MAX_EDITS = 300
_MAX_STEPS = 60_000
CONTEXT_LINES = 3
_Block = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Line:
    sign: Literal[" ", "+", "-"]
    text: str


@dataclass(frozen=True, slots=True)
class Hunk:
    """`old_start` and `new_start` count from 1; with no lines on a side, its start is the line before."""

    old_start: int
    old_count: int
    new_start: int
    new_count: int
    lines: tuple[Line, ...]

    @property
    def header(self) -> str:
        return f"@@ -{self.old_start},{self.old_count} +{self.new_start},{self.new_count} @@"


@dataclass(frozen=True, slots=True)
class _Gap:
    """Lines that differ: from a start up to and without an end, on each side."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int


def decode_text(data: bytes) -> str | None:
    """The text of a file that can be shown as lines, else None."""
    if len(data) > MAX_TEXT_BYTES or b"\0" in data:
        return None
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


def diff_text(old: str, new: str) -> list[Hunk] | None:
    """The hunks between two texts; None if they have too many lines to compare."""
    before, after = _lines(old), _lines(new)
    if max(len(before), len(after)) > _MAX_LINES:
        return None
    return [_hunk(before, after, group) for group in _groups(_gaps(before, after))]


async def change_hunks(blobs: Blobs, change: Change) -> list[Hunk] | None:
    """The hunks of a change of files; None if a side is no text or too long."""
    old, new = [await _entry_text(blobs, entry) for entry in (change.before, change.after)]
    return None if old is None or new is None else diff_text(old, new)


async def _entry_text(blobs: Blobs, entry: TreeEntry | None) -> str | None:
    if entry is None or entry.kind == "dir":
        return ""
    if entry.kind == "symlink":
        return f"symlink to {entry.target}\n"
    if entry.size > MAX_TEXT_BYTES:
        return None
    return decode_text(await blobs.get(entry.sha256 or ""))


def _lines(text: str) -> list[str]:
    """Lines with their ends, split at line feeds alone: what other tools count as lines."""
    parts = text.split("\n")
    lines = [part + "\n" for part in parts[:-1]]
    return [*lines, parts[-1]] if parts[-1] else lines


def _gaps(old: Sequence[str], new: Sequence[str]) -> Iterator[_Gap]:
    """What lies between the lines that both texts have."""
    at_old = at_new = 0
    for in_old, in_new, length in [*_blocks(old, new), (len(old), len(new), 0)]:
        if (at_old, at_new) != (in_old, in_new):
            yield _Gap(at_old, in_old, at_new, in_new)
        at_old, at_new = in_old + length, in_new + length


def _blocks(old: Sequence[str], new: Sequence[str]) -> list[_Block]:
    """Runs of lines that both texts have, as (place in old, place in new, length), in order."""
    shortest = min(len(old), len(new))
    start = 0
    while start < shortest and old[start] == new[start]:
        start += 1
    end = 0
    while end < shortest - start and old[-1 - end] == new[-1 - end]:
        end += 1
    middle = _compare(old[start : len(old) - end], new[start : len(new) - end])
    return [
        (0, 0, start),
        *((in_old + start, in_new + start, length) for in_old, in_new, length in middle),
        (len(old) - end, len(new) - end, end),
    ]


def _compare(old: Sequence[str], new: Sequence[str]) -> list[_Block]:
    """Split at lines that are unique on both sides, and search between them for the fewest edits."""
    blocks: list[_Block] = []
    at_old = at_new = 0
    steps = _MAX_STEPS
    for in_old, in_new in [*_anchors(old, new), (len(old), len(new))]:
        found, steps = _fewest(old[at_old:in_old], new[at_new:in_new], steps)
        blocks += [(x + at_old, y + at_new, 1) for x, y in found]
        blocks.append((in_old, in_new, 1 if in_old < len(old) else 0))
        at_old, at_new = in_old + 1, in_new + 1
    return blocks


def _anchors(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Pairs of lines unique on both sides, rising on both: the longest such chain."""
    in_old, in_new = _unique(old), _unique(new)
    pairs = [(position, in_new[text]) for text, position in in_old.items() if text in in_new]
    tails: list[int] = []
    ends: list[int] = []
    back: list[int] = [-1] * len(pairs)
    for index, (_, target) in enumerate(pairs):
        low = bisect_left(tails, target)
        back[index] = ends[low - 1] if low else -1
        tails[low : low + 1], ends[low : low + 1] = [target], [index]
    chain: list[tuple[int, int]] = []
    index = ends[-1] if ends else -1
    while index >= 0:
        chain.append(pairs[index])
        index = back[index]
    return chain[::-1]


def _unique(lines: Sequence[str]) -> dict[str, int]:
    seen: dict[str, int] = {}
    for position, text in enumerate(lines):
        seen[text] = -1 if text in seen else position
    return {text: position for text, position in seen.items() if position >= 0}


def _fewest(old: Sequence[str], new: Sequence[str], steps: int) -> tuple[list[tuple[int, int]], int]:
    """Myers' greedy search for the pairs of lines to keep, and the steps that are left for the next search.
    Past a number of edits or steps nothing is kept, so that all is shown as removed and added."""
    reach = {1: 0}
    trace: list[dict[int, int]] = []
    for edits in range(min(len(old) + len(new), _MAX_EDITS) + 1 if old and new else 0):
        trace.append(reach.copy())
        for diagonal in range(-edits, edits + 1, 2):
            down = diagonal == -edits or (diagonal != edits and reach[diagonal - 1] < reach[diagonal + 1])
            start = x = reach[diagonal + 1] if down else reach[diagonal - 1] + 1
            while x < len(old) and x - diagonal < len(new) and old[x] == new[x - diagonal]:
                x += 1
            reach[diagonal] = x
            steps -= 1 + x - start
            if x >= len(old) and x - diagonal >= len(new):
                return _walk_back(len(old), len(new), trace), steps
        if steps < 0:
            break
    return [], steps


def _walk_back(x: int, y: int, trace: Sequence[dict[int, int]]) -> list[tuple[int, int]]:
    kept: list[tuple[int, int]] = []
    for count in range(len(trace) - 1, -1, -1):
        reach, diagonal = trace[count], x - y
        down = diagonal == -count or (diagonal != count and reach[diagonal - 1] < reach[diagonal + 1])
        previous = diagonal + 1 if down else diagonal - 1
        before_x = reach[previous]
        before_y = before_x - previous
        while x > max(before_x, 0) and y > max(before_y, 0):
            x, y = x - 1, y - 1
            kept.append((x, y))
        x, y = before_x, before_y
    return kept[::-1]


def _groups(gaps: Iterator[_Gap]) -> Iterator[list[_Gap]]:
    """Gaps so close that the lines around them meet."""
    group: list[_Gap] = []
    for gap in gaps:
        if group and gap.old_start - group[-1].old_end > 2 * CONTEXT_LINES:
            yield group
            group = []
        group.append(gap)
    if group:
        yield group


def _hunk(old: Sequence[str], new: Sequence[str], group: Sequence[_Gap]) -> Hunk:
    """The lines of a group of gaps, with those around them."""
    lead = min(CONTEXT_LINES, group[0].old_start)
    at = old_start = group[0].old_start - lead
    new_start = group[0].new_start - lead
    lines: list[Line] = []
    for gap in group:
        lines += [Line(" ", text) for text in old[at : gap.old_start]]
        lines += [Line("-", text) for text in old[gap.old_start : gap.old_end]]
        lines += [Line("+", text) for text in new[gap.new_start : gap.new_end]]
        at = gap.old_end
    tail = old[at : at + CONTEXT_LINES]
    lines += [Line(" ", text) for text in tail]
    old_count = at + len(tail) - old_start
    new_count = group[-1].new_end + len(tail) - new_start
    return Hunk(old_start + bool(old_count), old_count, new_start + bool(new_count), new_count, tuple(lines))
