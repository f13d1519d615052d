"""Arguments of MCP tools that need no run: their schemas, and checks of what a client sends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from backtrail.state.document_predicates import PREDICATES
from backtrail.state.errors import InputRefused
from backtrail.state.settings import Settings
from backtrail.tools.access.corpora import check_readable
from backtrail.tools.access.policy.allowed import Allowed

READS_ALONE = {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False}
"""Annotations of a tool that changes nothing and stays within the corpora."""


def inputs(properties: Mapping[str, Any], required: list[str]) -> dict[str, Any]:
    """Return the input schema of a tool."""
    return {"type": "object", "properties": dict(properties), "required": required, "additionalProperties": False}


def corpus_input(corpora: list[str]) -> dict[str, Any]:
    """Return the schema of the corpus, which lists those that the client may read."""
    return {"type": "string", "description": "Corpus to look in.", **({"enum": corpora} if corpora else {})}


def documents_input() -> dict[str, Any]:
    """Return the schema of the documents that a call is restricted to."""
    words = f"Documents to look in: ids, patterns (guide/*) or {PREDICATES}. Entries of one field are alternatives."
    return {"type": "array", "items": {"type": "string"}, "description": f"{words} Default: all."}


def number(given: Mapping[str, Any], key: str, default: int, least: int, most: int) -> int:
    """Return an optional whole number.

    Raises:
        InputRefused: it is no whole number, or out of bounds.
    """
    value = given.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise InputRefused(f"{key!r} must be a whole number from {least} to {most}.")
    return value


def corpus_settings(given: Mapping[str, Any], whom: Allowed, known: tuple[str, ...]) -> Settings:
    """Return settings with the corpus and the documents.

    Raises:
        BacktrailError: the corpus is not readable for this person, or an argument is unknown.
    """
    if unknown := [key for key in given if key not in known]:
        raise InputRefused(f"This tool takes {', '.join(known)}; {str(unknown[0])[:80]!r} is unknown.")
    name = text(given, "corpus")
    check_readable(name, whom)
    try:
        return Settings.model_validate({"corpus": name, "documents": given.get("documents", ())})
    except ValidationError as error:
        raise InputRefused(f"'documents' cannot be used: {error.errors()[0]['msg']}") from error


def text(given: Mapping[str, Any], key: str) -> str:
    """Return a required string.

    Raises:
        InputRefused: it is missing, empty or no string.
    """
    value = given.get(key)
    if not isinstance(value, str) or not value.strip():
        raise InputRefused(f"{key!r} is missing: give it as a string.")
    return value.strip()
