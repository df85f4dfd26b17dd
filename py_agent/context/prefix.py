"""The prefix of every request of a session: instructions, environment and tool schemas, fixed at its start."""

from collections.abc import Sequence
from datetime import UTC, datetime
from importlib import resources

from pydantic import BaseModel, ConfigDict

from py_agent.core.messages import ToolSchema


class Prefix(BaseModel):
    model_config = ConfigDict(frozen=True)

    instructions: str
    tools: tuple[ToolSchema, ...] = ()


def build_prefix(*, project: str, now: float, tools: Sequence[ToolSchema], extra_instructions: str = "") -> Prefix:
    """`project` is what the person calls the folder; `extra_instructions` are an embedder's."""
    base = resources.files(__package__).joinpath("instructions.txt").read_text(encoding="utf-8").strip()
    parts = [base, extra_instructions.strip(), _environment(project, now)]
    return Prefix(instructions="\n\n".join(part for part in parts if part), tools=tuple(tools))


def _environment(project: str, now: float) -> str:
    day = datetime.fromtimestamp(now, UTC).date().isoformat()
    return f"Environment:\n- working directory: /workspace\n- project: {project or 'none'}\n- date: {day}"
