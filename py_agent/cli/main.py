"""The command line's entry: parse, dispatch, and turn errors into one sentence and an exit code."""

import asyncio
import signal
import sys
import traceback
from collections.abc import Sequence

from py_agent.cli.parser import make_parser, with_command
from py_agent.cli.terminal import discard_output, flush_output, notice, prepare_output, printable
from py_agent.errors import PyAgentError, StorageFailed, UsageError

EXIT_FAILED = 1
EXIT_USAGE = 2
EXIT_CANCELLED = 130


def run_command_line(arguments: Sequence[str]) -> int:
    try:
        prepare_output()
        code = _run(arguments)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # all is done: a late Ctrl-C would only change the code
        flush_output()
    except (OSError, StorageFailed):
        # Whoever read our output has left, or it has no room: there is nobody to tell.
        discard_output()
        return EXIT_FAILED
    return code


def _run(arguments: Sequence[str]) -> int:
    parser = make_parser()
    if not arguments:
        parser.print_help(sys.stderr)
        return EXIT_USAGE
    try:
        options = parser.parse_args(with_command(arguments))
    except SystemExit as end:
        return int(end.code or 0)
    try:
        code: int = asyncio.run(options.command(options))
    except (KeyboardInterrupt, asyncio.CancelledError):
        return EXIT_CANCELLED
    except BrokenPipeError:
        raise
    except Exception as error:  # noqa: BLE001 -- a person gets one sentence, whatever it was
        if options.debug:
            print(printable(traceback.format_exc()), file=sys.stderr)
        notice(_explain(error))
        return EXIT_USAGE if isinstance(error, UsageError) else EXIT_FAILED
    return code


def _explain(error: Exception) -> str:
    if isinstance(error, PyAgentError):
        return str(error)
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return f"This should not have happened ({what}). What was stored is kept; --debug shows where it came from."
