"""Ways to request JSON from a chat model, from a strict schema to the prompt alone."""

from __future__ import annotations

from typing import Any

from backtrail.tools.deciders.capabilities import ReplyFormat
from backtrail.tools.deciders.requests.reply_schema import ReplyForm


def call_options(rung: ReplyFormat, form: ReplyForm) -> dict[str, Any]:
    """Return the call options of a rung, in the wire format of OpenAI and compatible servers."""
    name = form.name
    if rung == "schema":
        wrapped = {"name": name, "strict": True, "schema": form.schema}
        return {"response_format": {"type": "json_schema", "json_schema": wrapped}}
    if rung == "tool":
        function = {"name": name, "description": "Hand in the reply.", "strict": True, "parameters": form.schema}
        return {
            "tools": [{"type": "function", "function": function}],
            "tool_choice": {"type": "function", "function": {"name": name}},
        }
    if rung == "json":
        return {"response_format": {"type": "json_object"}}
    return {}


def schema_in_words(rung: ReplyFormat, form: ReplyForm) -> str:
    """Return the text that the system message adds if the request itself does not carry the schema."""
    if rung in ("schema", "tool"):
        return ""
    return "\n\nReply with one JSON object of this JSON schema, and nothing else:\n" + form.text
