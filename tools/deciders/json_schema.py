"""The JSON schema of a decision's output, in the subset that strict structured output accepts.

Strict servers want every property required, no unknown ones, and reject defaults and most bounds
(a 400 then costs a rung of the ladder). What is dropped here is still enforced: every reply is
validated against the full pydantic model.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from pydantic import BaseModel

_NEVER = frozenset({"default", "title"})
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
    """The strict schema of a model; shared, so not to be changed by the caller.

    Args:
        bounds: keep lengths, ranges and patterns, for those who can hold a reply to them.
    """
    return _strict(model.model_json_schema(), _NEVER if bounds else _NEVER | _BOUNDS)


def schema_text(model: type[BaseModel]) -> str:
    """The strict schema as one line of JSON."""
    return json.dumps(strict_schema(model), ensure_ascii=False)


def _strict(schema: Any, dropped: frozenset[str]) -> Any:
    if isinstance(schema, list):
        return [_strict(one, dropped) for one in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:  # strict servers allow nothing beside a reference
        return {"$ref": schema["$ref"]}
    kept = {key: value for key, value in schema.items() if key not in dropped}
    for key in ("properties", "$defs"):  # keys in here are names, not keywords: a field may be called "title"
        if key in kept:
            kept[key] = {name: _strict(held, dropped) for name, held in kept[key].items()}
    strict = {key: value if key in ("properties", "$defs") else _strict(value, dropped) for key, value in kept.items()}
    if "properties" in strict:
        strict["required"] = list(strict["properties"])
        strict["additionalProperties"] = False
    return strict
