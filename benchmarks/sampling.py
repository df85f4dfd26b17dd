"""Taking samples on a machine that others use too."""

from collections.abc import Callable, Mapping
from statistics import median

Measured = Mapping[str, float]


def medians(repeats: int, *samples: Callable[[], Measured]) -> dict[str, float]:
    """The median of each named value. The samples take turns, so that a slow moment hits them all alike."""
    rounds = [{name: value for sample in samples for name, value in sample().items()} for _ in range(repeats)]
    return {name: median(found[name] for found in rounds) for name in rounds[0]}


def prefixed(prefix: str, measured: Measured) -> Measured:
    return {f"{prefix}_{name}": value for name, value in measured.items()}
