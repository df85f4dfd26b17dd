"""Figures as rows for people and as JSON for programs."""

import json
import os
import platform
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime

from benchmarks.figures import Figure, Goal

_ROW = "{:<45} {:>9} {:<7} {:<47} {:>7}  {:<13} {}"
_VERDICTS = {True: "met", False: "missed", None: "-"}


def header() -> str:
    return _ROW.format("figure", "ours", "unit", "reference", "ratio", "goal", "met?")


def row(figure: Figure) -> str:
    reference = f"{_short(figure.reference.value)}, {figure.reference.what}" if figure.reference else "-"
    ratio = "-" if figure.ratio is None else f"{figure.ratio:.2f} x"
    goal = _goal(figure.goal, figure.unit) if figure.goal else "-"
    verdict = _VERDICTS[figure.is_met]
    return _ROW.format(figure.name, _short(figure.value), figure.unit, reference, ratio, goal, verdict)


def to_json(figures: Sequence[Figure]) -> str:
    found = [{**asdict(figure), "ratio": figure.ratio, "is_met": figure.is_met} for figure in figures]
    machine = {"system": platform.platform(), "python": platform.python_version(), "cores": os.cpu_count()}
    return json.dumps({"at": datetime.now(UTC).isoformat(), "machine": machine, "figures": found}, indent=2) + "\n"


def _goal(goal: Goal, unit: str) -> str:
    return f"{'>=' if goal.is_least else '<='} {goal.limit:g} {'x' if goal.is_ratio else unit}"


def _short(value: float) -> str:
    """Three digits that count, or all of those before the point."""
    decimals = next((digits for digits, limit in enumerate((100, 10, 1, 0.1)) if value >= limit), 4)
    return f"{value:,.{decimals}f}"
