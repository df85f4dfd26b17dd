"""The command line's entry: parse, dispatch, and turn errors into one sentence and an exit code."""

import asyncio
import sys
import traceback
from collections.abc import Sequence

from py_agent.cli.parser import COMMANDS, make_parser
from py_agent.cli.terminal import notice
from py_agent.errors import PyAgentError, UsageError

EXIT_FAILED = 1
EXIT_USAGE = 2
EXIT_CANCELLED = 130


def run_command_line(arguments: Sequence[str]) -> int:
    parser = make_parser()
    if not arguments:
        parser.print_help(sys.stderr)
        return EXIT_USAGE
    if arguments[0] not in COMMANDS and not arguments[0].startswith("-"):
        arguments = ["run", *arguments]
    options = parser.parse_args(arguments)
    try:
        code: int = asyncio.run(options.command(options))
        return code
    except KeyboardInterrupt:
        return EXIT_CANCELLED
    except BrokenPipeError:
        # Whoever read our output has left; there is nobody to tell.
        sys.stderr.close()
        return EXIT_FAILED
    except PyAgentError as error:
        if options.debug:
            traceback.print_exc()
        notice(str(error))
        return EXIT_USAGE if isinstance(error, UsageError) else EXIT_FAILED
