"""The file tools: Read, Write and List."""

from typing import Any

from pydantic import AliasChoices, Field

from py_agent.core.paths import WorkspacePath
from py_agent.errors import PathExists, WorkspaceError
from py_agent.tools.tool import Tool, ToolContext, ToolInput, read_description
from py_agent.workspace.transaction import Transaction

MAX_READ_BYTES = 256 * 1024
MAX_LISTED = 100
_LEFT_OUT = {".git", "node_modules", "__pycache__"}


class ReadInput(ToolInput):
    file_path: str = Field(
        description="The file, relative to the workspace.",
        validation_alias=AliasChoices("file_path", "filePath"),
    )
    offset: int = Field(default=1, ge=1, description="The first line to read, counted from 1.")
    limit: int | None = Field(default=None, ge=1, description="How many lines to read at most.")


class WriteInput(ToolInput):
    file_path: str = Field(
        description="The file, relative to the workspace.",
        validation_alias=AliasChoices("file_path", "filePath"),
    )
    content: str = Field(description="The whole content of the file.")
    overwrite: bool = Field(default=False, description="Replace the file if it is there already.")


class ListInput(ToolInput):
    path: str = Field(default=".", description="The directory, relative to the workspace.")


def file_tools() -> list[Tool[Any]]:
    return [
        Tool("Read", read_description("read"), ReadInput, read, read_only=True),
        Tool("Write", read_description("write"), WriteInput, write, edits=True),
        Tool("List", read_description("list"), ListInput, list_files, read_only=True),
    ]


async def read(arguments: ReadInput, context: ToolContext) -> dict[str, Any]:
    path = WorkspacePath.parse(arguments.file_path)
    data = await context.workspace.read(path)
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise WorkspaceError(f"{path!s} is not a text file ({len(data)} bytes).") from error
    lines = text.splitlines(keepends=True)
    last = None if arguments.limit is None else arguments.offset - 1 + arguments.limit
    content = "".join(lines[arguments.offset - 1 : last])
    if len(content) <= MAX_READ_BYTES:
        return {"file_path": str(path), "content": content}
    note = f"Cut after {MAX_READ_BYTES} characters of {len(lines)} lines; read on with offset and limit."
    return {"file_path": str(path), "content": content[:MAX_READ_BYTES], "truncated": True, "message": note}


async def write(arguments: WriteInput, context: ToolContext) -> dict[str, Any]:
    path = WorkspacePath.parse(arguments.file_path)
    if not arguments.overwrite and context.workspace.exists(path):
        raise PathExists(f"{path!s} is there already; read it first, then set overwrite to replace it.")
    try:
        data = arguments.content.encode()
    except UnicodeEncodeError as error:
        raise WorkspaceError("The content is not valid Unicode; send it without lone surrogates.") from error
    context.workspace.write(path, data)
    return {"file_path": str(path), "bytes_written": len(data), "message": f"Wrote {path!s}."}


async def list_files(arguments: ListInput, context: ToolContext) -> dict[str, Any]:
    path = WorkspacePath.parse(arguments.path)
    entries: list[str] = []
    is_whole = _collect(context.workspace, path, entries, prefix="")
    return {"path": str(path) or ".", "entries": entries, "truncated": not is_whole}


def _collect(files: Transaction, path: WorkspacePath, entries: list[str], *, prefix: str) -> bool:
    """Add a directory's entries, those of directories after their own; False once there are too many."""
    for name, entry in files.list(path):
        if len(entries) >= MAX_LISTED:
            return False
        if entry.kind != "dir":
            entries.append(prefix + name)
            continue
        entries.append(f"{prefix}{name}/")
        is_whole = name in _LEFT_OUT or _collect(files, path / name, entries, prefix=f"{prefix}{name}/")
        if not is_whole:
            return False
    return True
