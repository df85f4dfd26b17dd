"""Limits: how far a run may go, and how much of a folder is imported."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from py_agent.core.usage import Usage

StopReason = Literal["end", "max_steps", "max_seconds", "max_tokens", "max_cost", "loop", "cancelled", "error"]


class RunLimits(BaseModel):
    """Where a run ends unasked; None is no limit."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    max_steps: int = Field(default=50, ge=1)
    max_seconds: float | None = Field(default=None, gt=0)
    max_tokens: int | None = Field(default=None, ge=1)
    max_cost_usd: float | None = Field(default=None, gt=0)

    def spent_by(self, usage: Usage) -> StopReason | None:
        """Which limit on tokens or cost has been reached."""
        if self.max_tokens is not None and usage.total >= self.max_tokens:
            return "max_tokens"
        if self.max_cost_usd is not None and usage.cost_usd >= self.max_cost_usd:
            return "max_cost"
        return None


class ImportLimits(BaseModel):
    """What of a folder is left out of the copy; what was left out is reported."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    max_files: int = Field(default=50_000, ge=0)
    max_file_bytes: int = Field(default=16 * 2**20, ge=0)
    max_total_bytes: int = Field(default=2**30, ge=0)
