"""What a model's answers used: tokens of each kind, and their cost."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Usage:
    input: int = 0
    output: int = 0
    reasoning: int = 0
    cache_read: int = 0
    cache_write: int = 0
    cost_usd: float = 0.0

    @property
    def total(self) -> int:
        """Tokens that count against a limit; reasoning is part of output, cache reads of input."""
        return self.input + self.output

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            input=self.input + other.input,
            output=self.output + other.output,
            reasoning=self.reasoning + other.reasoning,
            cache_read=self.cache_read + other.cache_read,
            cache_write=self.cache_write + other.cache_write,
            cost_usd=self.cost_usd + other.cost_usd,
        )
