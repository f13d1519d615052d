"""JSON schema of a decision's output, in the subset that strict structured output accepts.

Strict servers require every property, allow no unknown ones, and reject defaults and most bounds; after a 400 a
less strict form is used. Every reply is still validated against the full pydantic model.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from pydantic import BaseModel

_NEVER = frozenset({"default", "title"})
_IN_PROMPT = frozenset({"description"})  # prompts explain every field
_BOUNDS = frozenset(
    {
        "minLength",
        "maxLength",
        "minItems",
        "maxItems",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "pattern",
        "format",
    }
)


@cache
def strict_schema(model: type[BaseModel], *, bounds: bool = False) -> dict[str, Any]:
    """Return the strict schema of a model. The dict is cached: do not modify it.

    Args:
        bounds: keep lengths, ranges and patterns, for servers that enforce them.
    """
    dropped = _NEVER | _IN_PROMPT
    return _strict(model.model_json_schema(), dropped if bounds else dropped | _BOUNDS)


def schema_text(model: type[BaseModel]) -> str:
    """Return the schema with its descriptions as one line of JSON, which identifies an output in recordings."""
    return json.dumps(_strict(model.model_json_schema(), _NEVER | _BOUNDS), ensure_ascii=False)


def _strict(schema: Any, dropped: frozenset[str]) -> Any:
    if isinstance(schema, list):
        return [_strict(one, dropped) for one in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:  # strict servers allow no other key next to a reference
        return {"$ref": schema["$ref"]}
    kept = {key: value for key, value in schema.items() if key not in dropped}
    for key in ("properties", "$defs"):  # keys in here are names, not keywords: a field may be called "title"
        if key in kept:
            kept[key] = {name: _strict(value, dropped) for name, value in kept[key].items()}
    strict = {key: value if key in ("properties", "$defs") else _strict(value, dropped) for key, value in kept.items()}
    if "properties" in strict:
        strict["required"] = list(strict["properties"])
        strict["additionalProperties"] = False
    return strict
