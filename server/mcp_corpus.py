"""Choose the corpus of an MCP tool call: the named one, the default, or the only one.

A tool has the inputs of its method; the corpus, a setting, is an additional input that becomes the run's setting.
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
"""Maximum number of corpora that an error lists (ours)."""


def searches(tool: str) -> bool:
    """Return whether a tool's method searches a corpus."""
    return tool in METHODS and METHODS[tool].needs_corpus(Settings())


def default_corpus(whom: Allowed) -> str:
    """Return the default or only corpus; empty if ambiguous or none. Blocking."""
    names = list(readable_corpora(whom))
    default = str(whom.defaults.get(CORPUS) or Settings().corpus)
    return default if default in names else names[0] if len(names) == 1 else ""


def with_meant_corpus(body: bytes, whom: Allowed) -> tuple[bytes, dict[str, Any] | None]:
    """Add the corpus to a tool call; also return the error response if it is ambiguous. Blocking."""
    try:
        sent: Any = orjson.loads(body)
        context = sent["params"].get("context")
        asked = sent["params"].setdefault("arguments", {})
        calls = sent["method"] == "tools/call" and isinstance(asked, dict) and searches(sent["params"]["name"])
    except (orjson.JSONDecodeError, KeyError, TypeError, AttributeError):
        return body, None
    if not calls or asked.get(CORPUS) or (isinstance(context, dict) and context.get(CORPUS)):
        return body, None
    if corpus := default_corpus(whom):
        asked[CORPUS] = corpus
        return orjson.dumps(sent), None
    names = list(readable_corpora(whom))
    shown = ", ".join(names[:_NAMED]) + (", …" if len(names) > _NAMED else "")
    text = f"Which corpus is meant? Give its name as 'corpus'; there are: {shown}." if names else "There is no corpus."
    result = {"content": [{"type": "text", "text": text}], "isError": True}
    return body, {"jsonrpc": "2.0", "id": sent.get("id"), "result": result}


def as_setting(run: Mapping[str, Any]) -> dict[str, Any]:
    """Move the corpus from a tool run's input to its settings, except for an ingest."""
    asked = run.get("input")
    if not isinstance(asked, Mapping) or CORPUS not in asked or run.get("assistant_id") in ("", None):
        return dict(run)
    if asked.keys() == {CORPUS}:
        return dict(run)
    rest = {key: value for key, value in asked.items() if key != CORPUS}
    return {**run, "input": rest, "context": {**(run.get("context") or {}), CORPUS: asked[CORPUS]}}


def with_corpus_input(tool: dict[str, Any], corpora: list[str], meant: str) -> dict[str, Any]:
    """Add the corpus to the inputs of a listed tool that searches one."""
    schema = tool.get("inputSchema")
    if not searches(str(tool.get("name"))) or not isinstance(schema, dict):
        return tool
    words = "Corpus to ask." + (f" Default: {meant}." if meant else "")
    named: dict[str, Any] = {"type": "string", "description": words, **({"enum": corpora} if corpora else {})}
    needed = list(schema.get("required") or []) + ([] if meant else [CORPUS])
    properties = {**(schema.get("properties") or {}), CORPUS: named}
    return {**tool, "inputSchema": {**schema, "properties": properties, "required": needed}}
