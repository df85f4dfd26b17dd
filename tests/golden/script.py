"""What a golden script says: a model's steps, a person's answers and folder, and what happens in which order."""

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from py_agent.core.limits import RunLimits
from py_agent.policy.modes import Mode

FOLDER = Path(__file__).parent


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Say(_Part):
    """The person speaks, and cancels the run at the first event of a type."""

    act: Literal["say"]
    text: str
    cancel_at: str | None = None


class Cut(_Part):
    """The log ends after an event, the first of its type or a later one, or in the middle of the next."""

    act: Literal["cut"]
    after: str
    occurrence: int = 1
    is_torn: bool = False


class Resume(_Part):
    act: Literal["resume"]


class Put(_Part):
    """The person writes a file in their folder."""

    act: Literal["put"]
    path: str
    text: str


class Commit(_Part):
    act: Literal["commit"]


class Given(_Part):
    """The person's answer to a question; without `allowed` there is none."""

    allowed: bool | None = None
    message: str | None = None
    interrupt: bool = False


class Script(_Part):
    about: str
    permission_mode: Mode = "default"
    limits: RunLimits = RunLimits()
    has_folder: bool = False
    steps: tuple[dict[str, Any], ...]
    answers: tuple[Given, ...] = ()
    acts: tuple[Annotated[Say | Cut | Resume | Put | Commit, Field(discriminator="act")], ...]


def names() -> list[str]:
    return sorted(file.stem for file in FOLDER.glob("*.json"))


def read_script(name: str) -> Script:
    return Script.model_validate_json((FOLDER / f"{name}.json").read_bytes())


def log_file(name: str) -> Path:
    return FOLDER / f"{name}.jsonl"
