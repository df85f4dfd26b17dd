"""Prints TypeScript declarations of all events and inputs, made from their pydantic models."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import TypeAdapter

from py_agent.core.events import KnownEvent, UnknownEvent
from py_agent.core.inputs import KnownInput

HEADER = "// Made by `python build.py types` from the models in py_agent/core/; do not edit.\n"
TOLD, TAKEN = "serialization", "validation"
UNIONS = {"KnownEvent": (KnownEvent, TOLD), "UnknownEvent": (UnknownEvent, TOLD), "Input": (KnownInput, TAKEN)}
PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def declarations() -> str:
    declared: dict[str, str] = {}
    for name, (kind, mode) in UNIONS.items():
        whole = TypeAdapter(kind).json_schema(mode=mode, ref_template="{model}")  # type: ignore[arg-type]
        for model, schema in {**whole.pop("$defs", {}), name: whole}.items():
            declared[model] = _declare(model, schema, is_told=mode == TOLD)
    return "\n".join([HEADER, *(declared[model] for model in sorted(declared))])


def _declare(name: str, schema: Mapping[str, Any], *, is_told: bool) -> str:
    if "oneOf" in schema:
        return f"export type {name} =\n  | " + "\n  | ".join(part["$ref"] for part in schema["oneOf"]) + ";\n"
    comment = "\n * ".join(line.strip() for line in schema.get("description", "").splitlines() if line)
    body = "".join(_fields(schema["properties"], is_told=is_told))
    return (f"/** {comment} */\n" if comment else "") + f"export interface {name} {{\n{body}}}\n"


def _fields(fields: Mapping[str, Mapping[str, Any]], *, is_told: bool) -> Iterator[str]:
    """A field that is None is absent. What we tell has all others; what we take needs those without a default."""
    for name, field in fields.items():
        is_there = "const" in field or "default" not in field or (is_told and field["default"] is not None)
        yield f"  {name}{'' if is_there else '?'}: {_type(field)};\n"


def _type(field: Mapping[str, Any]) -> str:
    match field:
        case {"$ref": name}:
            return str(name)
        case {"const": value}:
            return json.dumps(value)
        case {"enum": values}:
            return " | ".join(json.dumps(value) for value in values)
        case {"anyOf": kinds}:
            return " | ".join(_type(kind) for kind in kinds if kind != {"type": "null"})
        case {"type": "array"}:
            return f"Array<{_type(field['items'])}>"
        case {"type": "object"}:
            return "Record<string, unknown>"
        case {"type": name}:
            return PLAIN[name]
    return "unknown"


if __name__ == "__main__":
    print(declarations(), end="")
