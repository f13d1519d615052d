"""Schemas for clients' forms and tools: a method's own settings, with choices, and described inputs.

LangGraph's server makes both from the graph's schemas, which would show the settings of every method in each form.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from pydantic import BaseModel

from backtrail.graphs.method import Method
from backtrail.state.settings import OFFLINE, Settings
from backtrail.tools.access.choices import choices
from backtrail.tools.settings.keys import ROLES

SHARED = ("budget", "offline", "human")
"""Sections of the settings that every method reads."""

INPUTS = {
    "question": "The question, in words; on a thread, also a follow-up to the one before.",
    "messages": "A conversation that ends with a human message, in place of 'question'.",
    "image": "Picture that the question is about, by the sha256 that POST /pictures returned.",
    "corpus": "Corpus whose uploaded files to ingest.",
}


def form_of(method: Method, schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of the settings without other methods' sections, and with choices.

    Args:
        schema: JSON schema of all settings.
    """
    kept = {*SHARED, method.settings, *method.sections, *(("web",) if method.searches == "web" else ())}
    properties = {
        name: _with_choices(name, shown)
        for name, shown in cast("Mapping[str, Any]", schema.get("properties", {})).items()
        if name in kept or not _is_section(name)
    }
    return {**schema, "title": method.name, "description": method.description, "properties": properties}


def described(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of an input with descriptions."""
    properties = cast("Mapping[str, Mapping[str, Any]]", schema.get("properties", {}))
    named = {name: {**shown, "description": INPUTS.get(name, "")} for name, shown in properties.items()}
    return {**schema, "properties": named} if named else dict(schema)


def _is_section(name: str) -> bool:
    part = Settings.model_fields[name].annotation if name in Settings.model_fields else None
    return isinstance(part, type) and issubclass(part, BaseModel)


def _with_choices(name: str, shown: Mapping[str, Any]) -> dict[str, Any]:
    offered = choices()
    if name == "corpus" and offered.corpora:
        return {**shown, "enum": list(offered.corpora)}
    if name in ROLES:
        return {**shown, "enum": list(dict.fromkeys((OFFLINE, *offered.models)))} if offered.models else dict(shown)
    return dict(shown)
