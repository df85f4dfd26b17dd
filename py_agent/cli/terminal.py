"""Speaking to a terminal or a pipe: text made harmless, notices on standard error, questions."""

import asyncio
import io
import os
import sys
import unicodedata
from typing import TextIO

from py_agent.core.events import Event, dump_event
from py_agent.errors import StorageFailed

_BIDIRECTIONAL = set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c")
_LINE_BYTES = 4096


def printable(text: str) -> str:
    """Text of a model or a file without anything that a terminal would obey."""
    return "".join(character if _is_harmless(character) else f"<U+{ord(character):04X}>" for character in text)


def one_line(text: str) -> str:
    """A name or a title, which may not pass for lines of ours."""
    return printable(text).replace("\n", "<U+000A>").replace("\t", "<U+0009>")


def _is_harmless(character: str) -> bool:
    if character in "\n\t" or " " <= character <= "~":
        return True
    return unicodedata.category(character) not in ("Cc", "Cs") and character not in _BIDIRECTIONAL


def say(text: str, end: str = "\n") -> None:
    _put(sys.stdout, printable(text) + end)


def say_event(event: Event) -> None:
    """One line of JSON, which is UTF-8 whatever the locale."""
    _put(sys.stdout, dump_event(event) + b"\n")


def notice(text: str) -> None:
    _put(sys.stderr, f"py-agent: {printable(text)}\n")


def show_progress(line: str, *, over: str) -> None:
    """Write a line over the last one, and over a ^C behind it."""
    _put(sys.stderr, f"\r{' ' * (len(over) + 2)}\r{line}")


def _put(stream: TextIO | None, content: str | bytes) -> None:
    if stream is None:  # it was closed before we began
        return
    try:
        if isinstance(content, bytes):
            stream.buffer.write(content)
        else:
            stream.write(content)
        stream.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise StorageFailed(f"The output could not be written: {error.strerror}.") from error


def prepare_output() -> None:
    """A stream that was closed stays out of the way of files that we open, which would take its number; a
    character that the terminal's encoding lacks is escaped, not an error."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) < 3:
        continue
    os.close(descriptor)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def flush_output() -> None:
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()


def discard_output() -> None:
    """Nobody reads any more: what is still to be flushed goes nowhere, without a word."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            os.dup2(nowhere, stream.fileno())


def can_ask() -> bool:
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stderr))


def can_show_progress() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


async def ask_line(prompt: str) -> str:
    """A line that the person types; an empty one if they end the input. Cancelling takes the question back."""
    _put(sys.stderr, printable(prompt))
    loop, descriptor = asyncio.get_running_loop(), sys.stdin.fileno()
    typed: asyncio.Future[bytes] = loop.create_future()

    def read() -> None:
        loop.remove_reader(descriptor)
        if not typed.done():
            typed.set_result(_read_line(descriptor))

    loop.add_reader(descriptor, read)
    line = b""
    try:
        line = await typed
    finally:
        loop.remove_reader(descriptor)
        if not line.endswith(b"\n"):
            _put(sys.stderr, "\n")
    return line.decode(errors="replace").strip()


def _read_line(descriptor: int) -> bytes:
    """A terminal gives one line at a time, so nothing typed for a later question is taken."""
    try:
        return os.read(descriptor, _LINE_BYTES)
    except OSError:  # the terminal is gone, and with it the person
        return b""
