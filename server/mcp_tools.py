"""MCP tools: the methods allowed by the policy, and those that read corpora without a run (``search``, ``read`` ...).

LangGraph's server offers a tool for every assistant; tools that the policy denies are removed here. The others need no
run and are answered here. They return text of documents: data, never an instruction.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import orjson

from backtrail.graphs.methods import METHODS
from backtrail.graphs.serving.ingest import NAME as INGEST
from backtrail.nodes.retrieve import ranked
from backtrail.server.mcp_arguments import (
    READS_ALONE,
    corpus_input,
    corpus_settings,
    documents_input,
    inputs,
    number,
    text,
)
from backtrail.server.mcp_corpus import default_corpus, with_corpus_input
from backtrail.server.mcp_documents import document_tools, find_phrase, list_documents, next_part
from backtrail.server.mcp_pieces import SNIPPET, piece_line, piece_of, read_pieces
from backtrail.server.mcp_tables import compute, find_tables, table_tools
from backtrail.state.errors import BacktrailError, InputRefused
from backtrail.state.question_input import check_question
from backtrail.tools.access.corpora import readable_corpora
from backtrail.tools.access.patterns import among
from backtrail.tools.access.policy.allowed import Allowed
from backtrail.tools.corpus.errors import DocumentNotFound
from backtrail.tools.corpus.inventory import stored_components
from backtrail.tools.toolbox import Toolbox

MOST_FOUND, FOUND = 25, 8
"""Maximum and default number of components per search (ours)."""

_toolbox = Toolbox()


def own_answer(body: bytes, whom: Callable[[], Allowed]) -> dict[str, Any] | None:
    """Answer a call of a tool that needs no run, or an invalid one; None if it is for the server. Blocking."""
    try:
        sent: Any = orjson.loads(body)
        if isinstance(sent, dict) and not isinstance(sent.get("params") or {}, dict):  # the server crashes on them
            error = {"code": -32602, "message": "Invalid params: an object is expected."}
            return {"jsonrpc": "2.0", "id": sent.get("id"), "error": error}
        name, given = sent["params"]["name"], sent["params"].get("arguments") or {}
        ours = sent["method"] == "tools/call" and name in _TOOLS and isinstance(given, dict) and "id" in sent
    except (orjson.JSONDecodeError, KeyError, TypeError, AttributeError):
        return None
    if not ours:
        return None
    try:
        words, values = _TOOLS[name](_toolbox, given, whom())
        result = {"content": [{"type": "text", "text": words}], "structuredContent": values}
    except BacktrailError as error:
        result = {"content": [{"type": "text", "text": str(error)}], "isError": True}
    return {"jsonrpc": "2.0", "id": sent["id"], "result": result}


def lists_tools(body: bytes) -> bool:
    """Return whether a request lists the tools."""
    try:
        sent: Any = orjson.loads(body)
    except orjson.JSONDecodeError:
        return False
    return isinstance(sent, dict) and sent.get("method") == "tools/list"


def tools_for(body: bytes, whom: Allowed) -> bytes:
    """Filter the server's list of tools by policy and append ours. Blocking."""
    try:
        response = orjson.loads(body)
        listed = response["result"]["tools"]
    except (orjson.JSONDecodeError, KeyError, TypeError):
        return body
    corpora, meant = list(readable_corpora(whom)), default_corpus(whom)
    kept = [with_corpus_input(tool, corpora, meant) for tool in listed if _is_for(str(tool.get("name")), whom)]
    if not response["result"].get("nextCursor"):
        kept += _described(corpora)
    response["result"]["tools"] = kept
    return orjson.dumps(response)


def _is_for(name: str, whom: Allowed) -> bool:
    if name == INGEST:
        return whom.ingest
    return name not in METHODS or among(name, whom.methods)


def _described(corpora: list[str]) -> list[dict[str, Any]]:
    corpus = corpus_input(corpora)
    query = {"type": "string", "description": "What to look for, in words."}
    most = {
        "type": "integer", "minimum": 1, "maximum": MOST_FOUND, "default": FOUND, "description": "Pieces at most.",
    }  # fmt: skip
    id_ = {"type": "string", "description": "Id of a piece, as search and answers give it, or of a whole document."}
    return [
        {
            "name": "search", "title": "Search a corpus", "annotations": READS_ALONE,
            "description": "Finds paragraphs, tables and pictures of a corpus, by words and by meaning, without "
            "answering. Each comes with its id, which the tool read takes.",
            "inputSchema": inputs(
                {"corpus": corpus, "query": query, "documents": documents_input(), "limit": most}, ["corpus", "query"]
            ),
        },
        {
            "name": "read", "title": "Read a piece of a corpus", "annotations": READS_ALONE,
            "description": "Gives the text of a paragraph, table or picture, or of a whole document, piece by piece.",
            "inputSchema": inputs({"corpus": corpus, "id": id_}, ["corpus", "id"]),
        },
        *table_tools(corpora),
        *document_tools(corpora),
    ]  # fmt: skip


def _search(toolbox: Toolbox, given: Mapping[str, Any], whom: Allowed) -> tuple[str, dict[str, Any]]:
    settings = corpus_settings(given, whom, ("corpus", "query", "documents", "limit"))
    query, most = text(given, "query"), number(given, "limit", FOUND, 1, MOST_FOUND)
    check_question(query)
    scored = ranked(toolbox.corpus(settings), query, "hybrid", most)
    contents = toolbox.contents(settings)
    components = contents.components([one["id"] for one in scored])
    documents = contents.documents({one.document for one in components.values()})
    titles = {key: document.title for key, document in documents.items()}
    found = [piece_of(one, titles.get(one.document, ""), SNIPPET) for one in components.values()]
    lines = [f"{place}. {piece_line(one)}" for place, one in enumerate(found, 1)]
    return "\n".join(lines) or "Nothing was found.", {"found": found}


def _read(toolbox: Toolbox, given: Mapping[str, Any], whom: Allowed) -> tuple[str, dict[str, Any]]:
    settings, id_ = corpus_settings(given, whom, ("corpus", "id")), text(given, "id")
    component = toolbox.contents(settings).components([id_]).get(id_)
    if component is not None:
        pieces, title = [component], ""
    else:
        try:
            document, pieces = stored_components(settings.corpus, id_)
        except DocumentNotFound:
            raise InputRefused(
                f"The corpus {settings.corpus!r} has no piece or document {id_[:200]!r}; search gives their ids."
            ) from None
        title = document.title
    return read_pieces(pieces, title, len(pieces))


_TOOLS: Mapping[str, Callable[[Toolbox, Mapping[str, Any], Allowed], tuple[str, dict[str, Any]]]] = {
    "search": _search, "read": _read, "tables": find_tables, "compute": compute,
    "list_documents": list_documents, "next_part": next_part, "find_phrase": find_phrase,
}  # fmt: skip
