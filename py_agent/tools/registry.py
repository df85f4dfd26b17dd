"""The registry: the tools there are, by name."""

import difflib
from collections.abc import Container, Iterable
from typing import Any

from py_agent.core.messages import ToolSchema
from py_agent.errors import UnknownTool
from py_agent.tools.files import file_tools
from py_agent.tools.tool import Tool


class Registry:
    def __init__(self, tools: Iterable[Tool[Any]] = ()) -> None:
        self._tools: dict[str, Tool[Any]] = {}
        for tool in tools:
            self.register(tool)

    def register(self, tool: Tool[Any]) -> None:
        """Add a tool; one of the same name is replaced."""
        self._tools[tool.name] = tool

    def get(self, name: str) -> Tool[Any]:
        try:
            return self._tools[name]
        except KeyError:
            raise UnknownTool(f"unknown tool: {name}. {self._suggest(name)}") from None

    def names(self) -> list[str]:
        return sorted(self._tools)

    def schemas(self, allowed: Container[str] | None = None) -> list[ToolSchema]:
        """What the model is told, sorted by name."""
        return [self._tools[name].schema() for name in self.names() if allowed is None or name in allowed]

    def _suggest(self, name: str) -> str:
        close = difflib.get_close_matches(name[:100].lower(), [known.lower() for known in self._tools], n=1)
        known = next((known for known in self._tools if known.lower() in close), None)
        return f"Did you mean {known}?" if known else f"There are {', '.join(self.names()) or 'none'}."


def default_registry() -> Registry:
    return Registry(file_tools())
