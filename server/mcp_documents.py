"""MCP tools ``list_documents``, ``next_part`` and ``find_phrase``: what no ranking selects, without a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from backtrail.nodes.phrase_places import Place, phrase_places
from backtrail.nodes.reading.component_views import clip
from backtrail.server.mcp_arguments import (
    READS_ALONE,
    corpus_input,
    corpus_settings,
    documents_input,
    inputs,
    number,
    text,
)
from backtrail.server.mcp_pieces import SNIPPET, WHOLE, read_pieces
from backtrail.server.mcp_tables import bounded_reading
from backtrail.state.errors import InputRefused
from backtrail.tools.access.policy.allowed import Allowed
from backtrail.tools.corpus.components_in_batches import components_in_batches
from backtrail.tools.corpus.file_documents import components_after
from backtrail.tools.corpus.protocol import CorpusReader
from backtrail.tools.toolbox import Toolbox

PAGE, MOST = 50, 200
"""Entries of a list by default and at most; with ``SNIPPET`` characters each that is four reads (ours)."""
FURTHEST = 10_000_000
PHRASE_CHARACTERS = 300


def document_tools(corpora: list[str]) -> list[dict[str, Any]]:
    """Return the descriptions of the tools."""
    corpus, documents = corpus_input(corpora), documents_input()
    paged = {
        "offset": {"type": "integer", "minimum": 0, "default": 0, "description": "Entries to pass over."},
        "limit": {"type": "integer", "minimum": 1, "maximum": MOST, "default": PAGE, "description": "Entries at most."},
    }
    phrase = {"type": "string", "maxLength": PHRASE_CHARACTERS, "description": "Whole words, in any case."}
    id_ = {"type": "string", "description": "Id of a piece, as other tools give it."}
    return [
        {
            "name": "list_documents", "title": "List documents", "annotations": READS_ALONE,
            "description": "Lists documents of a corpus in reading order, with tags, dates and how many there are.",
            "inputSchema": inputs({"corpus": corpus, "documents": documents, **paged}, ["corpus"]),
        },
        {
            "name": "next_part", "title": "Read on", "annotations": READS_ALONE,
            "description": "Gives the pieces that follow a piece in its document, and how many are left.",
            "inputSchema": inputs({"corpus": corpus, "id": id_}, ["corpus", "id"]),
        },
        {
            "name": "find_phrase", "title": "Find a phrase", "annotations": READS_ALONE,
            "description": "Finds every heading, sentence, table row and caption that says a phrase word for word, and "
            "counts the places and their documents. None is an answer, too: no document says it.",
            "inputSchema": inputs(
                {"corpus": corpus, "phrase": phrase, "documents": documents, **paged}, ["corpus", "phrase"]
            ),
        },
    ]  # fmt: skip


def list_documents(toolbox: Toolbox, given: Mapping[str, Any], whom: Allowed) -> tuple[str, dict[str, Any]]:
    """List documents that predicates select. Blocking."""
    settings = corpus_settings(given, whom, ("corpus", "documents", "offset", "limit"))
    offset, limit = _page(given)
    corpus = toolbox.corpus(settings)
    ids = corpus.document_ids()
    shown = ids[offset : offset + limit]
    listed = _listed(corpus, shown)
    left = max(len(ids) - offset - len(shown), 0)
    head = f"{len(ids)} documents" + (f", {left} after these" if left else "")
    values = {"total": len(ids), "left": left, "documents": listed}
    return "\n".join([head, *map(_line, listed)]), values


def _page(given: Mapping[str, Any]) -> tuple[int, int]:
    return number(given, "offset", 0, 0, FURTHEST), number(given, "limit", PAGE, 1, MOST)


def _listed(corpus: CorpusReader, ids: list[str]) -> list[dict[str, Any]]:
    labels, children = corpus.labels(ids), corpus.children(ids)
    return [
        {
            "id": id_,
            "title": document.title,
            "tags": [link.target for link in labels.get(id_, []) if link.kind == "tag"],
            "dates": [link.target for link in labels.get(id_, []) if link.kind == "date"],
            "pieces": len(children.get(id_, [])),
        }
        for id_, document in corpus.documents(ids).items()
    ]


def _line(document: Mapping[str, Any]) -> str:
    tags = f"tags: {', '.join(document['tags'])}" if document["tags"] else ""
    details = "; ".join(filter(None, [f"{document['pieces']} pieces", *document["dates"], tags]))
    return f"- {document['id']}: {document['title']} ({details})"


def next_part(toolbox: Toolbox, given: Mapping[str, Any], whom: Allowed) -> tuple[str, dict[str, Any]]:
    """Read what follows a component. Blocking."""
    settings, id_ = corpus_settings(given, whom, ("corpus", "id")), text(given, "id")
    corpus = toolbox.corpus(settings)
    start = corpus.components([id_]).get(id_)
    if start is None:
        raise InputRefused(
            f"The corpus {settings.corpus!r} has no piece {id_[:200]!r}; search and read give their ids."
        )
    ids = components_after(corpus, start)
    title = next(iter(corpus.documents([start.document]).values())).title
    following = (one for components in components_in_batches(corpus, ids) for one in components.values())
    words, values = read_pieces(following, title, len(ids))
    return words or "Nothing follows it in its document.", values


def _counting(places: Iterator[Place], documents: Counter[str]) -> Iterator[Place]:
    for place in places:
        documents[place.document] += 1
        yield place


def find_phrase(toolbox: Toolbox, given: Mapping[str, Any], whom: Allowed) -> tuple[str, dict[str, Any]]:
    """Find the places that say a phrase, and count all of them. Blocking."""
    settings = corpus_settings(given, whom, ("corpus", "phrase", "documents", "offset", "limit"))
    phrase, (offset, limit) = text(given, "phrase"), _page(given)
    if len(phrase) > PHRASE_CHARACTERS:
        raise InputRefused(f"'phrase' has {len(phrase):,} characters, at most {PHRASE_CHARACTERS} may be; shorten it.")
    corpus = toolbox.corpus(settings)
    counted: Counter[str] = Counter()
    with bounded_reading():
        places = _counting(phrase_places(corpus, phrase), counted)
        shown = list(islice(places, offset, offset + limit))
        for _ in places:
            pass
    total, searched = counted.total(), len(corpus.document_ids())
    left = max(total - offset - len(shown), 0)
    head = f"{total} places in {len(counted)} of {searched} documents" + (f", {left} after these" if left else "")
    listed = [{"id": one.component, "document": one.document, "number": one.number, "text": clip(one.text, SNIPPET)}
              for one in shown]  # fmt: skip
    values = {"total": total, "documents": len(counted), "searched": searched, "left": left, "places": listed}
    return "\n".join([head, *(f"- {one['id']}: {one['text']}" for one in listed)])[:WHOLE], values
