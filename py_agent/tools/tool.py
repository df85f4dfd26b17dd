"""What a tool is, and what it is given when it runs."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from importlib import resources
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from py_agent.core.messages import ToolSchema
from py_agent.errors import BadArguments
from py_agent.workspace.transaction import Transaction


class ToolInput(BaseModel):
    """The arguments of a tool; what it does not know it refuses, so that the model learns of a typing error."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


@dataclass(frozen=True, slots=True)
class ToolContext:
    """`workspace` is the call's own transaction; `extras` is what the embedder hands to its tools."""

    session_id: str
    tool_use_id: str
    workspace: Transaction
    extras: Mapping[str, Any] = field(default_factory=dict)


Input = TypeVar("Input", bound=ToolInput)


@dataclass(frozen=True, slots=True)
class Tool(Generic[Input]):
    """`read_only`: changes nothing and reaches no network. `edits`: changes workspace files and nothing else."""

    name: str
    description: str
    input_type: type[Input]
    run: Callable[[Input, ToolContext], Awaitable[Any]]
    read_only: bool = False
    edits: bool = False

    def parse(self, arguments: Mapping[str, Any]) -> Input:
        if "_raw" in arguments:
            raise BadArguments(f"The arguments of {self.name} are not a JSON object; send one.")
        try:
            return self.input_type.model_validate(arguments)
        except ValidationError as error:
            raise BadArguments(f"{self.name}: {_explain(error)}") from error

    def schema(self) -> ToolSchema:
        parameters = _without_titles(self.input_type.model_json_schema(by_alias=False))
        return ToolSchema(name=self.name, description=self.description, parameters=parameters)


def read_description(name: str) -> str:
    """The text that the model reads about a tool, from the file beside it."""
    return resources.files(__package__).joinpath(f"{name}.txt").read_text(encoding="utf-8").strip()


def _explain(error: ValidationError) -> str:
    faults = []
    for fault in error.errors()[:5]:
        where = ".".join(str(part) for part in fault["loc"]) or "arguments"
        faults.append(f"{where}: {fault['msg']}")
    return "; ".join(faults) + "."


def _without_titles(schema: Any) -> Any:
    """Pydantic names every field twice; the model needs it once."""
    if isinstance(schema, list):
        return [_without_titles(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: {name: _without_titles(value) for name, value in item.items()}
        if key == "properties"
        else _without_titles(item)
        for key, item in schema.items()
        if not (key == "title" and isinstance(item, str))
    }
