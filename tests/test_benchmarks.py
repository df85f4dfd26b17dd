"""The benchmarks: each of them runs, and a figure says how it stands."""

import json
from importlib.util import find_spec

import pytest

from benchmarks.__main__ import measure
from benchmarks.figures import Figure, Goal, Reference
from benchmarks.registry import BENCHMARKS
from benchmarks.report import row, to_json
from benchmarks.scratch import Sizes

TRIAL = Sizes(
    long_events=300,
    short_events=5,
    appends=3,
    files=30,
    repeats=1,
    model_runs=1,
    model_turns=25,
    deltas=50,
    at_once=2,
)


# What py_agent is measured against is installed for one Python alone.
NAMES = [name for name in BENCHMARKS if name != "models" or find_spec("openai")]


@pytest.mark.parametrize("name", NAMES)
def test_a_benchmark_gives_figures_that_can_be_shown(name: str) -> None:
    figures = list(measure([name], TRIAL))
    assert len({figure.name for figure in figures}) == len(figures) > 0
    for figure in figures:
        assert figure.name in row(figure)
    shown = json.loads(to_json(figures))["figures"]
    assert [figure["name"] for figure in shown] == [figure.name for figure in figures]


@pytest.mark.parametrize(
    ("goal", "is_met", "shown"),
    [
        (None, None, "-"),
        (Goal(30), True, "met"),
        (Goal(29.9), False, "missed"),
        (Goal(3, is_ratio=True), True, "met"),
        (Goal(2.9, is_ratio=True), False, "missed"),
    ],
)
def test_a_goal_limits_the_value_or_its_ratio_to_the_reference(
    goal: Goal | None, is_met: bool | None, shown: str
) -> None:
    figure = Figure("x", 30, "s", Reference("the other", 10), goal)
    assert figure.is_met is is_met
    assert row(figure).endswith(f" {shown}")


def test_a_ratio_without_a_reference_is_refused() -> None:
    with pytest.raises(ValueError, match="no reference"):
        _ = Figure("x", 1, "s", goal=Goal(1, is_ratio=True)).is_met
