"""Globs that match in linear time, whoever wrote them: `*`, `?`, `[a-z]`, `[!a-z]`, and `**` for directories.

A backslash takes the next character as it is. A glob becomes a regular expression in which the text after a
star is looked for at its first place only: no later place could help, so nothing is ever tried twice.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Self

_STAR = "*"
_DIRECTORIES = "**/"
_ALL = ".*"
_TOKEN = re.compile(r"(?P<all>\*\*+\Z)|(?P<directories>\*\*+/)|\*+|\\(?P<escaped>.)|(?P<plain>.)", re.DOTALL)
_MEMBER = re.compile(r"\[:(?P<named>[^\]]*):\]|\\(?P<escaped>.)|(?P<plain>[^\\])", re.DOTALL)
_NAMED = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "blank": r" \t",
    "cntrl": r"\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": r"!-/:-@\[-`{-~",
    "space": r" \t-\r",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}


class Glob:
    """A pattern for whole paths. `*` stays within one name; `a/**` is what lies in `a`.

    `is_whole` is False where a set is left open or a backslash stands last; they stand for themselves then."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a pattern as a person writes it: `./src//*.py` is `src/*.py`."""
        return cls("/".join(part for part in text.split("/") if part not in ("", ".")))

    def __init__(self, pattern: str) -> None:
        tokens = list(_tokens(pattern))
        self.is_whole = None not in tokens
        self._expression = re.compile(_expression(token for token in tokens if token is not None), re.DOTALL)

    def matches(self, path: str) -> bool:
        return self._expression.fullmatch(path) is not None


def _tokens(pattern: str) -> Iterator[str | None]:
    """Stars, and expressions for one character each; None before what is not whole."""
    at = 0
    while at < len(pattern):
        found = _TOKEN.match(pattern, at)
        assert found is not None
        is_at_start = at == 0 or pattern[at - 1] == "/"
        at = found.end()
        if found["plain"] == "[" and (read := _read_set(pattern, at)):
            expression, at = read
            yield expression
        elif found["plain"] is not None or found["escaped"] is not None:
            if found["plain"] in ("[", "\\"):
                yield None
            yield "[^/]" if found["plain"] == "?" else re.escape(found["plain"] or found["escaped"])
        elif found["all"] and is_at_start:
            yield _ALL
        elif found["directories"]:
            yield from (_DIRECTORIES,) if is_at_start else (_STAR, "/")
        else:
            yield _STAR


def _read_set(pattern: str, start: int) -> tuple[str, int] | None:
    """The set that opens before `start`, and where it ends; None if it does not."""
    is_negated = pattern[start : start + 1] in ("!", "^")
    first = at = start + is_negated
    members: list[str] = []
    low = ""
    while (found := _MEMBER.match(pattern, at)) and (found["plain"] != "]" or at == first):
        at = found.end()
        if found["named"] is not None:
            if found["named"] not in _NAMED:
                return None
            members.append(_NAMED[found["named"]])
            low = ""
        elif found["plain"] == "-" and low and (high := _MEMBER_END.match(pattern, at)):
            at, end = high.end(), high["escaped"] or high["plain"]
            members += [f"{re.escape(low)}-{re.escape(end)}"] if low <= end else []
            low = ""
        else:
            low = found["escaped"] or found["plain"]
            members.append(re.escape(low))
    if found is None:
        return None
    body = "".join(members)
    return (f"[^/{body}]" if is_negated else f"(?!/)[{body}]"), found.end()


_MEMBER_END = re.compile(r"\\(?P<escaped>.)|(?P<plain>[^\\\]])", re.DOTALL)


def _expression(tokens: Iterable[str]) -> str:
    """What comes between two `**/` is found at its first place; what comes after the last one, at the end."""
    *groups, last = _split(tokens, _DIRECTORIES)
    skip = "(?:[^/]*+/)*?"
    found = [_group(group) for group in groups]
    found = [*found[:1], *(f"(?>{skip}{group})" for group in found[1:])]
    return "".join(found) + (skip if groups else "") + _last_group(last)


def _group(tokens: Iterable[str]) -> str:
    first, *rest = ("".join(chunk) for chunk in _split(tokens, _STAR))
    return first + "".join(f"(?>[^/]*?{chunk})" for chunk in rest)


def _last_group(tokens: Iterable[str]) -> str:
    *chunks, last = _split(tokens, _STAR)
    if not chunks:
        return "".join(last)
    first, *rest = ("".join(chunk) for chunk in chunks)
    return first + "".join(f"(?>[^/]*?{chunk})" for chunk in rest) + "[^/]*" + "".join(last)


def _split(tokens: Iterable[str], at: str) -> list[list[str]]:
    groups: list[list[str]] = [[]]
    for token in tokens:
        if token == at:
            groups.append([])
        else:
            groups[-1].append(token)
    return groups
