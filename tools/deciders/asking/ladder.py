"""The ladder: the ways of asking a chat model for JSON, from the strictest to plain words."""

from __future__ import annotations

import json
from typing import Any

from pydantic import BaseModel

from backtrail.tools.deciders.capabilities import Rung
from backtrail.tools.deciders.json_schema import strict_schema


def call_options(rung: Rung, name: str, output: type[BaseModel], *, bounds: bool = False) -> dict[str, Any]:
    """Options of the chat call on a rung, in the OpenAI wire format that compatible servers share.

    Args:
        bounds: keep lengths, ranges and patterns in the schema.
    """
    schema = strict_schema(output, bounds=bounds)
    if rung == "schema":
        wrapped = {"name": name, "strict": True, "schema": schema}
        return {"response_format": {"type": "json_schema", "json_schema": wrapped}}
    if rung == "tool":
        function = {"name": name, "description": "Hand in the reply.", "strict": True, "parameters": schema}
        return {
            "tools": [{"type": "function", "function": function}],
            "tool_choice": {"type": "function", "function": {"name": name}},
        }
    if rung == "json":
        return {"response_format": {"type": "json_object"}}
    return {}


def schema_in_words(rung: Rung, output: type[BaseModel]) -> str:
    """What the system message adds where the request itself does not carry the schema."""
    if rung in ("schema", "tool"):
        return ""
    return "\n\nReply with one JSON object of this JSON schema, and nothing else:\n" + schema_text(output)


def schema_text(output: type[BaseModel]) -> str:
    """The schema as one line of JSON."""
    return json.dumps(strict_schema(output), ensure_ascii=False)
