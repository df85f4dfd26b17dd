"""`python -m benchmarks [names]`: measures, and prints a row for each figure. A missed goal is no failure."""

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.figures import Figure
from benchmarks.registry import BENCHMARKS
from benchmarks.report import header, row, to_json
from benchmarks.scratch import Scratch, Sizes


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks", description=__doc__, allow_abbrev=False)
    parser.add_argument("names", nargs="*", help=f"only these: {', '.join(BENCHMARKS)}")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to this file as well")
    args = parser.parse_args()
    if unknown := [name for name in args.names if name not in BENCHMARKS]:
        parser.error(f"there is no benchmark {unknown[0]!r}, only {', '.join(BENCHMARKS)}")
    print(header())
    figures = []
    for figure in measure(args.names or list(BENCHMARKS), Sizes()):
        print(row(figure), flush=True)
        figures.append(figure)
    if args.json is not None:
        args.json.write_text(to_json(figures))


def measure(names: Sequence[str], sizes: Sizes) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory(prefix="py-agent-bench-") as root:
        scratch = Scratch(Path(root), sizes)
        for name in names:
            yield from BENCHMARKS[name](scratch)


if __name__ == "__main__":
    main()
