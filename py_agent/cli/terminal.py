"""Speaking to a terminal: text made harmless, notices on standard error, questions."""

import asyncio
import sys
import unicodedata

from py_agent.ports.gate import Answer, Question

_BIDIRECTIONAL = set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f")


def printable(text: str) -> str:
    """Text of a model or a file without anything that a terminal would obey."""
    return "".join(character if _is_harmless(character) else f"<U+{ord(character):04X}>" for character in text)


def _is_harmless(character: str) -> bool:
    if character in "\n\t" or " " <= character <= "~":
        return True
    return unicodedata.category(character) not in ("Cc", "Cs") and character not in _BIDIRECTIONAL


def say(text: str, end: str = "\n") -> None:
    print(printable(text), end=end, flush=True)


def notice(text: str) -> None:
    print(f"py-agent: {printable(text)}", file=sys.stderr, flush=True)


def can_ask() -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty()


async def ask_line(prompt: str) -> str:
    """A line that the person types. Cancelling the wait leaves the terminal as it was."""
    print(printable(prompt), end="", file=sys.stderr, flush=True)
    loop = asyncio.get_running_loop()
    typed: asyncio.Future[str] = loop.create_future()

    def read() -> None:
        loop.remove_reader(sys.stdin)
        if not typed.done():
            typed.set_result(sys.stdin.readline())

    loop.add_reader(sys.stdin, read)
    try:
        return (await typed).strip()
    finally:
        loop.remove_reader(sys.stdin)


class TerminalApprover:
    async def ask(self, question: Question) -> Answer:
        notice(f"{question.reason}\n{question.prompt}")
        while True:
            typed = (await ask_line("Allow? [y]es, [n]o, [s]top the run: ")).lower()
            if typed in ("y", "yes"):
                return Answer(allowed=True)
            if typed in ("n", "no", ""):
                return Answer(allowed=False)
            if typed in ("s", "stop"):
                return Answer(allowed=False, interrupt=True)
