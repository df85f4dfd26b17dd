"""All benchmarks, by the name that the command line takes."""

from collections.abc import Callable, Iterable

from benchmarks import append, importing, models, opening, parsing, resuming, starting
from benchmarks.figures import Figure
from benchmarks.scratch import Scratch

Benchmark = Callable[[Scratch], Iterable[Figure]]

BENCHMARKS: dict[str, Benchmark] = {
    "start": starting.measure,
    "append": append.measure,
    "open": opening.measure,
    "resume": resuming.measure,
    "import": importing.measure,
    "parse": parsing.measure,
    "models": models.measure,
}
