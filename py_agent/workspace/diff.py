"""Text diffs for people: hunks of lines, found in bounded time whatever the text."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from py_agent.core.changes import Change
from py_agent.core.trees import TreeEntry
from py_agent.ports.storage import Blobs

MAX_TEXT_BYTES = 2**20
_MAX_LINES = 20_000
_MAX_EDITS = 300
CONTEXT_LINES = 3


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
    return _hunks(_edits(before, after))


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


def _edits(old: Sequence[str], new: Sequence[str]) -> list[Line]:
    """One sequence of kept, removed and added lines."""
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    middle = _compare(old[start : len(old) - end], new[start : len(new) - end])
    kept = [Line(" ", text) for text in old[:start]]
    return [*kept, *middle, *(Line(" ", text) for text in old[len(old) - end :])]


def _compare(old: Sequence[str], new: Sequence[str]) -> list[Line]:
    """Split at lines that are unique on both sides, and search between them for the fewest edits."""
    edits: list[Line] = []
    at_old = at_new = 0
    for in_old, in_new in [*_anchors(old, new), (len(old), len(new))]:
        edits += _fewest(old[at_old:in_old], new[at_new:in_new])
        edits += [Line(" ", text) for text in old[in_old : in_old + 1]]
        at_old, at_new = in_old + 1, in_new + 1
    return edits


def _anchors(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Pairs of lines unique on both sides, rising on both: the longest such chain."""
    in_old, in_new = _unique(old), _unique(new)
    pairs = [(position, in_new[text]) for text, position in in_old.items() if text in in_new]
    tails: list[int] = []
    ends: list[int] = []
    back: list[int] = [-1] * len(pairs)
    for index, (_, target) in enumerate(pairs):
        low = _bisect(tails, target)
        back[index] = ends[low - 1] if low else -1
        if low == len(tails):
            tails.append(target)
            ends.append(index)
        else:
            tails[low], ends[low] = target, index
    chain: list[tuple[int, int]] = []
    index = ends[-1] if ends else -1
    while index >= 0:
        chain.append(pairs[index])
        index = back[index]
    return chain[::-1]


def _bisect(values: Sequence[int], value: int) -> int:
    low, high = 0, len(values)
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if values[middle] < value else (low, middle)
    return low


def _unique(lines: Sequence[str]) -> dict[str, int]:
    seen: dict[str, int] = {}
    for position, text in enumerate(lines):
        seen[text] = -1 if text in seen else position
    return {text: position for text, position in seen.items() if position >= 0}


def _fewest(old: Sequence[str], new: Sequence[str]) -> list[Line]:
    """Myers' greedy search; past a number of edits all is shown as removed and added."""
    if not old or not new:
        return [*(Line("-", text) for text in old), *(Line("+", text) for text in new)]
    reach = {1: 0}
    trace: list[dict[int, int]] = []
    for edits in range(min(len(old) + len(new), _MAX_EDITS) + 1):
        trace.append(reach.copy())
        for diagonal in range(-edits, edits + 1, 2):
            down = diagonal == -edits or (diagonal != edits and reach[diagonal - 1] < reach[diagonal + 1])
            x = reach[diagonal + 1] if down else reach[diagonal - 1] + 1
            while x < len(old) and x - diagonal < len(new) and old[x] == new[x - diagonal]:
                x += 1
            reach[diagonal] = x
            if x >= len(old) and x - diagonal >= len(new):
                return _walk_back(old, new, trace)
    return [*(Line("-", text) for text in old), *(Line("+", text) for text in new)]


def _walk_back(old: Sequence[str], new: Sequence[str], trace: Sequence[dict[int, int]]) -> list[Line]:
    edits: list[Line] = []
    x, y = len(old), len(new)
    for count in range(len(trace) - 1, -1, -1):
        reach, diagonal = trace[count], x - y
        down = diagonal == -count or (diagonal != count and reach[diagonal - 1] < reach[diagonal + 1])
        previous = diagonal + 1 if down else diagonal - 1
        before_x = reach[previous]
        before_y = before_x - previous
        while x > before_x and y > before_y and x > 0 and y > 0:
            x, y = x - 1, y - 1
            edits.append(Line(" ", old[x]))
        if count > 0:
            edits.append(Line("+", new[before_y]) if down else Line("-", old[before_x]))
            x, y = before_x, before_y
    return edits[::-1]


def _hunks(edits: Sequence[Line]) -> list[Hunk]:
    """Group changed lines with the lines around them."""
    changed = [index for index, line in enumerate(edits) if line.sign != " "]
    spans: list[tuple[int, int]] = []
    for index in changed:
        start, end = max(0, index - CONTEXT_LINES), min(len(edits), index + CONTEXT_LINES + 1)
        if spans and start <= spans[-1][1]:
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    return _number(edits, spans)


def _number(edits: Sequence[Line], spans: Sequence[tuple[int, int]]) -> list[Hunk]:
    hunks: list[Hunk] = []
    old = new = at = 0
    for start, end in spans:
        old += sum(line.sign != "+" for line in edits[at:start])
        new += sum(line.sign != "-" for line in edits[at:start])
        lines = tuple(edits[start:end])
        old_count = sum(line.sign != "+" for line in lines)
        new_count = sum(line.sign != "-" for line in lines)
        hunks.append(Hunk(old + 1 if old_count else old, old_count, new + 1 if new_count else new, new_count, lines))
        old, new, at = old + old_count, new + new_count, end
    return hunks
