"""`py-agent run` and `py-agent sessions resume`."""

import argparse
import asyncio
import difflib
import os
import signal
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import aclosing, contextmanager
from pathlib import Path

from py_agent.cli.hint import command_line, count
from py_agent.cli.progress import Progress
from py_agent.cli.screen import JsonLines, Report, Screen
from py_agent.cli.setup import hide_from_git, make_running_client, warn_of_other_folder
from py_agent.cli.terminal import can_show_progress, notice
from py_agent.client import AgentSession
from py_agent.core.events import Event, Result
from py_agent.errors import UsageError

EXIT_CODES = {"end": 0, "cancelled": 130}
Events = AsyncGenerator[Event, None]


async def run(options: argparse.Namespace) -> int:
    goal = _read_goal(options.goal)
    images = [await asyncio.to_thread(read_picture, path) for path in options.image]

    def start(session: AgentSession) -> Events:
        if session.is_unfinished:
            notice("The last run of this session was cut off. It is closed now; its open calls count as not run.")
        return session.stream(goal, images)

    return await _work(options, options.session, start)


async def resume(options: argparse.Namespace) -> int:
    return await _work(options, options.id, AgentSession.resume)


def read_picture(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"The picture {path} cannot be read: {error.strerror}.") from error


def _read_goal(words: Sequence[str]) -> str:
    if len(words) > 1:
        close = difflib.get_close_matches(words[0], ("changes", "commit", "sessions"), n=1)
        meant = f", or did you mean the command `{close[0]}`?" if close else "."
        raise UsageError(f"Put the goal in quotes: py-agent {' '.join(words)!r}{meant}")
    [goal] = words
    if not goal.strip():
        raise UsageError("The goal is empty; say what to do: py-agent 'list the files'")
    try:
        goal.encode()
    except UnicodeEncodeError as error:
        raise UsageError("The goal is not valid UTF-8; type it again.") from error
    return goal


async def _work(options: argparse.Namespace, session_id: str | None, start: Callable[[AgentSession], Events]) -> int:
    progress = Progress(is_shown=can_show_progress() and not options.json)
    report: Report = JsonLines() if options.json else Screen(options, progress)
    stop = Stop()
    with _ending_in_a_result(report):
        client = make_running_client(options, progress)
        if session_id is not None:
            await warn_of_other_folder(client, options, session_id)
        async with await client.open(session_id) as session:
            hide_from_git(options)
            if session.recovered is not None:
                report.show(session.recovered)
            stop.session = session
            code = await _follow(session, start(session), report)
            _say_what_changed(session, options)
    return code


async def _follow(session: AgentSession, events: Events, report: Report) -> int:
    result: Result | None = None
    async with aclosing(events):
        async for event in events:
            report.show(event)
            result = event if isinstance(event, Result) else result
    if result is None:  # it was cancelled before it could say a word
        result = Result(session_id=session.session_id, final_text="", stop_reason="cancelled")
        report.show(result)
    return EXIT_CODES.get(result.stop_reason, 1)


def _say_what_changed(session: AgentSession, options: argparse.Namespace) -> None:
    number = len(session.changes().files)
    if not number:
        return
    see, write = (command_line(options, word, "--session", session.session_id) for word in ("changes", "commit"))
    differ = "differs" if number == 1 else "differ"
    notice(f"{count(number, 'file')} {differ} from your folder.\n  to see:    {see}\n  to commit: {write}")


class Stop:
    """Ctrl-C or SIGTERM ends the run, whose last events still arrive, or the command while there is no run yet.
    Who does not want to wait for that presses twice more; the log then ends as after a crash."""

    def __init__(self) -> None:
        self.session: AgentSession | None = None
        self._command = asyncio.current_task()
        self._signals = 0
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, self._stop)

    def _stop(self) -> None:
        self._signals += 1
        if self._signals == 2:
            notice("The run is being ended. Ctrl-C once more leaves at once.")
        elif self._signals > 2:
            os._exit(EXIT_CODES["cancelled"])
        elif self.session is not None:
            self.session.cancel()
        elif self._command is not None:
            self._command.cancel()


@contextmanager
def _ending_in_a_result(report: Report) -> Iterator[None]:
    """A failure that no run could put into words is reported as a result all the same."""
    try:
        yield
    except (UsageError, BrokenPipeError):
        raise
    except (asyncio.CancelledError, KeyboardInterrupt):
        report.fail(Result(final_text="", stop_reason="cancelled"))
        raise
    except Exception as error:
        name, text = type(error).__name__, str(error)
        report.fail(Result(final_text="", stop_reason="error", error_type=name, error_message=text))
        raise
