"""Figures: what was measured, and how it stands against its goal."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reference:
    """What else does a like job, measured in the same run and the same unit."""

    what: str
    value: float


@dataclass(frozen=True, slots=True)
class Goal:
    """The most that the figure may be, or the least, in its unit or as a multiple of its reference."""

    limit: float
    is_ratio: bool = False
    is_least: bool = False


@dataclass(frozen=True, slots=True)
class Figure:
    name: str
    value: float
    unit: str
    reference: Reference | None = None
    goal: Goal | None = None

    @property
    def ratio(self) -> float | None:
        """How many times the reference it is."""
        return self.value / self.reference.value if self.reference else None

    @property
    def is_met(self) -> bool | None:
        """Whether the goal is met; None without a goal."""
        if self.goal is None:
            return None
        standing = self.ratio if self.goal.is_ratio else self.value
        if standing is None:
            raise ValueError(f"The goal of {self.name!r} is a ratio, and it has no reference.")
        return standing >= self.goal.limit if self.goal.is_least else standing <= self.goal.limit
