"""`python -m py_agent` and the `py-agent` command."""

import sys


def main() -> int:
    # The command line is loaded only when it is used as one.
    from py_agent.cli.main import run_command_line

    return run_command_line(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
