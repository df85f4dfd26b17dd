"""Inputs: what a person asks of an open session, as the page and other programs send it."""

from functools import cache
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from py_agent.core.paths import WorkspacePath
from py_agent.errors import UsageError


class BaseInput(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class RunInput(BaseInput):
    """Start a run with the person's words."""

    type: Literal["run"] = "run"
    text: str


class ResumeInput(BaseInput):
    """Go on with the run that was cut off."""

    type: Literal["resume"] = "resume"


class CancelInput(BaseInput):
    """End the run."""

    type: Literal["cancel"] = "cancel"


class AnswerInput(BaseInput):
    """Answer a `permission.question`. `message` goes to the model; `interrupt` ends the run as well."""

    type: Literal["answer"] = "answer"
    question_id: str
    allowed: bool
    message: str | None = None
    interrupt: bool = False


class FilesInput(BaseInput):
    """Ask for the workspace's tree."""

    type: Literal["files"] = "files"


class ReadInput(BaseInput):
    """Ask for one file's text."""

    type: Literal["read"] = "read"
    path: WorkspacePath


Input = RunInput | ResumeInput | CancelInput | AnswerInput | FilesInput | ReadInput
KnownInput = Annotated[Input, Field(discriminator="type")]


def parse_input(data: bytes | str) -> Input:
    """Read one input's JSON."""
    try:
        return _inputs().validate_json(data)
    except ValidationError as error:
        fault = error.errors()[0]
        where = ".".join(map(str, fault["loc"])) or "it"
        raise UsageError(f"This is no input that is understood: {where}: {fault['msg']}.") from error


@cache
def _inputs() -> TypeAdapter[Input]:
    return TypeAdapter(KnownInput)
