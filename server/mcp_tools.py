"""MCP tools: the methods allowed by the policy, and ``search``, ``read``, ``tables`` and ``compute`` for corpora.

LangGraph's server offers a tool for every assistant; tools that the policy denies are removed here. The others need no
run and are answered here. They return text of documents: data, never an instruction.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import orjson

from backtrail.graphs.methods import METHODS
from backtrail.graphs.serving.ingest import NAME as INGEST
from backtrail.nodes.reading.component_views import component_text
from backtrail.nodes.retrieve import ranked
from backtrail.server.mcp_arguments import READS_ALONE, corpus_input, corpus_settings, inputs, text
from backtrail.server.mcp_corpus import default_corpus, with_corpus_input
from backtrail.server.mcp_tables import compute, find_tables, table_tools
from backtrail.state.component import Component
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
SNIPPET, WHOLE = 400, 20_000
"""Characters of a component in search results, and of one read (ours)."""

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
            "inputSchema": inputs({"corpus": corpus, "query": query, "limit": most}, ["corpus", "query"]),
        },
        {
            "name": "read", "title": "Read a piece of a corpus", "annotations": READS_ALONE,
            "description": "Gives the text of a paragraph, table or picture, or of a whole document, piece by piece.",
            "inputSchema": inputs({"corpus": corpus, "id": id_}, ["corpus", "id"]),
        },
        *table_tools(corpora),
    ]  # fmt: skip


def _search(toolbox: Toolbox, given: Mapping[str, Any], whom: Allowed) -> tuple[str, dict[str, Any]]:
    settings = corpus_settings(given, whom, ("corpus", "query", "limit"))
    query, most = text(given, "query"), given.get("limit", FOUND)
    check_question(query)
    if isinstance(most, bool) or not isinstance(most, int) or not 1 <= most <= MOST_FOUND:
        raise InputRefused(f"'limit' must be a whole number from 1 to {MOST_FOUND}.")
    scored = ranked(toolbox.corpus(settings), query, "hybrid", most)
    contents = toolbox.contents(settings)
    components = contents.components([one["id"] for one in scored])
    documents = contents.documents({one.document for one in components.values()})
    titles = {key: document.title for key, document in documents.items()}
    found = [_piece(one, titles.get(one.document, ""), SNIPPET) for one in components.values()]
    lines = [f"{number}. {_line(one)}" for number, one in enumerate(found, 1)]
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
            raise InputRefused(f"The corpus {settings.corpus!r} has no piece or document with that id.") from None
        title = document.title
    read: list[dict[str, Any]] = []
    room = WHOLE
    for one in pieces:
        piece = _piece(one, title, room)
        read.append(piece)
        room -= len(piece["text"])
        if room <= 0:
            break
    left = len(pieces) - len(read)
    whole = "\n\n".join(f"[{one['id']}] {one['text']}" for one in read)
    more = f"\n\n({left} further pieces; read them by their ids, which search gives.)" if left else ""
    return whole + more, {"read": read, "left": left}


_TOOLS: Mapping[str, Callable[[Toolbox, Mapping[str, Any], Allowed], tuple[str, dict[str, Any]]]] = {
    "search": _search, "read": _read, "tables": find_tables, "compute": compute,
}  # fmt: skip


def _piece(one: Component, title: str, characters: int) -> dict[str, Any]:
    return {
        "id": one.id, "document": one.document, "title": title, "section": one.section, "modality": one.modality,
        "text": component_text(one, max(characters, 1)),
    }  # fmt: skip


def _line(piece: Mapping[str, Any]) -> str:
    section = piece["section"] if piece["section"] != piece["title"] else ""
    where = " › ".join(part for part in (piece["title"], section) if part)
    return f"{where} ({piece['modality']}, id {piece['id']}): {piece['text']}"
