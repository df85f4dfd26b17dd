"""`python -m tests.model_server`: the model server by hand."""

import argparse
import sys
import threading
from inspect import getdoc, signature

from tests.model_server.scenarios import SCENARIOS
from tests.model_server.server import ModelServer


def main() -> int:
    args = parser().parse_args()
    with ModelServer(args.port) as server:
        sys.stdout.write(f"{server.url}/{args.scenario}/v1\n")
        sys.stdout.flush()
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            return 130
    return 0


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="python -m tests.model_server",
        description="Serves scenarios of OpenAI's two wire formats on this machine and prints a base URL.",
        epilog="scenarios, as the path before /v1:\n" + "\n".join(f"  {_usage(name)}" for name in sorted(SCENARIOS)),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("--port", type=int, default=0, help="the port to listen on (any that is free)")
    made.add_argument("--scenario", default="echo", help="the scenario of the printed URL, with parameters (echo)")
    return made


def _usage(name: str) -> str:
    first, *parameters = signature(SCENARIOS[name]).parameters.values()
    names = [each.name.upper() if each.default is first.empty else f"[{each.name.upper()}]" for each in parameters]
    return f"{'/'.join([name, *names]):30} {getdoc(SCENARIOS[name])}"


if __name__ == "__main__":
    sys.exit(main())
