"""The tools of golden scripts. They are their own, so that a word about a real tool changes no log."""

from py_agent.core.paths import WorkspacePath
from py_agent.errors import PathExists
from py_agent.tools.registry import Registry
from py_agent.tools.tool import Tool, ToolContext, ToolInput


class ReadInput(ToolInput):
    path: str


class WriteInput(ToolInput):
    path: str
    content: str
    overwrite: bool = False


async def read(arguments: ReadInput, context: ToolContext) -> str:
    return (await context.workspace.read(WorkspacePath.parse(arguments.path))).decode()


async def write(arguments: WriteInput, context: ToolContext) -> dict[str, int]:
    path = WorkspacePath.parse(arguments.path)
    if context.workspace.exists(path) and not arguments.overwrite:
        raise PathExists(f"{path!r} is there already.")
    data = arguments.content.encode()
    context.workspace.write(path, data)
    return {"bytes": len(data)}


def golden_tools() -> Registry:
    return Registry(
        [
            Tool("Read", "Reads a file.", ReadInput, read, read_only=True),
            Tool("Write", "Writes a file.", WriteInput, write, edits=True),
        ]
    )
