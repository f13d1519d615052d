"""Which corpus a tool of MCP asks: the one that its caller names, or the only one that can be meant.

A tool has the inputs of its method, and the corpus is a setting; so it is one more input of the tool, which becomes
the setting of the run.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from backtrail.graphs.methods import METHODS
from backtrail.state.settings import Settings
from backtrail.tools.access.corpora import readable_corpora
from backtrail.tools.access.policy.allowed import Allowed

CORPUS = "corpus"
_NAMED = 50
"""Corpora that an error names at most (ours)."""


def searches(tool: str) -> bool:
    """Whether a tool asks a method that looks into a corpus."""
    return tool in METHODS and METHODS[tool].needs_corpus(Settings())


def meant_corpus(whom: Allowed) -> str:
    """The corpus that is meant where none is named; empty where that could be several, or none. Blocking."""
    held = list(readable_corpora(whom))
    default = str(whom.defaults.get(CORPUS) or Settings().corpus)
    return default if default in held else held[0] if len(held) == 1 else ""


def with_meant_corpus(body: bytes, whom: Allowed) -> tuple[bytes, dict[str, Any] | None]:
    """A call of a tool with the corpus that is meant, and the answer to one where none can be. Blocking."""
    try:
        sent: Any = orjson.loads(body)
        context = sent["params"].get("context")
        asked = sent["params"].setdefault("arguments", {})
        calls = sent["method"] == "tools/call" and isinstance(asked, dict) and searches(sent["params"]["name"])
    except (orjson.JSONDecodeError, KeyError, TypeError, AttributeError):
        return body, None
    if not calls or asked.get(CORPUS) or (isinstance(context, dict) and context.get(CORPUS)):
        return body, None
    if corpus := meant_corpus(whom):
        asked[CORPUS] = corpus
        return orjson.dumps(sent), None
    names = list(readable_corpora(whom))
    shown = ", ".join(names[:_NAMED]) + (", …" if len(names) > _NAMED else "")
    told = f"Which corpus is meant? Give its name as 'corpus'; there are: {shown}." if names else "There is no corpus."
    result = {"content": [{"type": "text", "text": told}], "isError": True}
    return body, {"jsonrpc": "2.0", "id": sent.get("id"), "result": result}


def as_setting(run: Mapping[str, Any]) -> dict[str, Any]:
    """A run that the server begins for a tool, with the corpus among its settings; an ingest is asked for no more."""
    asked = run.get("input")
    if not isinstance(asked, Mapping) or CORPUS not in asked or run.get("assistant_id") in ("", None):
        return dict(run)
    if asked.keys() == {CORPUS}:
        return dict(run)
    rest = {key: value for key, value in asked.items() if key != CORPUS}
    return {**run, "input": rest, "context": {**(run.get("context") or {}), CORPUS: asked[CORPUS]}}


def with_corpus_input(tool: dict[str, Any], corpora: list[str], meant: str) -> dict[str, Any]:
    """A tool as it is listed; one that looks into a corpus takes its name."""
    schema = tool.get("inputSchema")
    if not searches(str(tool.get("name"))) or not isinstance(schema, dict):
        return tool
    words = "Corpus to ask." + (f" Where it is left out: {meant}." if meant else "")
    named: dict[str, Any] = {"type": "string", "description": words, **({"enum": corpora} if corpora else {})}
    needed = list(schema.get("required") or []) + ([] if meant else [CORPUS])
    properties = {**(schema.get("properties") or {}), CORPUS: named}
    return {**tool, "inputSchema": {**schema, "properties": properties, "required": needed}}
