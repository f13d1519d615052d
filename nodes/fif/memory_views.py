"""Bounded, serializable views of subqueries and history for deciders."""

from __future__ import annotations

from typing import NamedTuple

from backtrail.nodes.graph_traversal.new_names import names_not_in_question
from backtrail.nodes.graph_traversal.paths import around
from backtrail.state.component import Link
from backtrail.state.evidence import Evidence
from backtrail.state.fif.memory_views import DocumentView, FoundView, HopView, SubqueryView, SummarisedDocument
from backtrail.state.fif.strategy_wording import modes
from backtrail.state.hop import Hop
from backtrail.state.subquery import Subquery
from backtrail.tools.corpus.protocol import CorpusReader

FOUND_SHOWN = 5
NEIGHBOURS_SHOWN = 40
# Names further down a long paragraph are seldom relevant to the question.
READ_CHARACTERS = 1_200


def subquery_views(subqueries: list[Subquery]) -> list[SubqueryView]:
    """Return the subqueries with status and answer."""
    return [
        SubqueryView(id=subquery["id"], text=subquery["text"], status=subquery["status"], answer=subquery["answer"])
        for subquery in subqueries
    ]


class Read(NamedTuple):
    """Corpus contents for the views, by document id (titles, summaries not shown yet) and component id."""

    titles: dict[str, str]
    summaries: dict[str, str]
    links: dict[str, list[Link]]
    placed: dict[str, int]
    names: dict[str, list[str]]


def hop_views(
    hops: list[Hop], evidence: dict[str, Evidence], corpus: CorpusReader, question: str, *, summaries: bool = False
) -> list[HopView]:
    """Return the history with titles and the best components of each hop. Reads the corpus (blocking).

    Args:
        summaries: show each document's summary at the step that reached it first (FiF, section 4.3).
    """
    titles = corpus.documents({scored["id"] for hop in hops for scored in hop["documents"]})
    shown = {scored["id"] for hop in hops for scored in hop["components"][:FOUND_SHOWN]}
    components = corpus.components(shown)
    homes = sorted({component.document for component in components.values()})
    texts = {key: component.text for key, component in components.items() if component.text}
    read = Read(
        titles={key: document.title for key, document in titles.items()},
        summaries={key: document.summary for key, document in titles.items()} if summaries else {},
        links=corpus.links(shown),
        placed={key: len(links) for key, links in around(corpus, homes).items()},
        names=names_not_in_question(corpus, question, {key: text[:READ_CHARACTERS] for key, text in texts.items()}),
    )
    return [_hop_view(hop, evidence, read) for hop in hops if hop["kind"] != "compute"]


def _document(key: str, read: Read) -> DocumentView:
    title, summary = read.titles.get(key, key), read.summaries.pop(key, "")
    return SummarisedDocument(id=key, title=title, summary=summary) if summary else DocumentView(id=key, title=title)


def _hop_view(hop: Hop, evidence: dict[str, Evidence], read: Read) -> HopView:
    document_mode, component_mode = modes(hop["strategy"]) if hop["strategy"] else (None, None)
    return HopView(
        step=hop["step"],
        kind=hop["kind"],
        subquery_id=hop["subquery_id"],
        subquery=hop["subquery"],
        anchor_step=hop["anchor_step"],
        anchors=hop["anchors"],
        document_mode=document_mode,
        component_mode=component_mode,
        granularity=hop["strategy"]["granularity"] if hop["strategy"] else None,
        outcome=hop["outcome"],
        reason=hop["reason"],
        edges=hop.get("edges", {}),
        documents=[_document(scored["id"], read) for scored in hop["documents"]],
        found=[
            FoundView(
                id=scored["id"],
                document=evidence[scored["id"]]["document"],
                title=evidence[scored["id"]]["title"],
                modality=evidence[scored["id"]]["modality"],
                snippet=evidence[scored["id"]]["snippet"],
                similarity=scored["score"],
                coverage=evidence[scored["id"]]["coverage"],
                links=sum(link.kind != "name" for link in read.links.get(scored["id"], [])),
                placed=read.placed.get(evidence[scored["id"]]["document"], 0)
                + sum(link.kind == "name" for link in read.links.get(scored["id"], [])),
                names=read.names.get(scored["id"], []),
            )
            for scored in hop["components"][:FOUND_SHOWN]
            if scored["id"] in evidence
        ],
    )


def neighbour_titles(hops: list[Hop], corpus: CorpusReader) -> list[str]:
    """Return the titles of neighbours of the last hop with documents. Reads the corpus (blocking)."""
    last = next((hop for hop in reversed(hops) if hop["documents"]), None)
    if last is None:
        return []
    children = corpus.children([scored["id"] for scored in last["documents"]])
    links = corpus.links([component for members in children.values() for component in members])
    targets = list(dict.fromkeys(link.target for found in links.values() for link in found))
    known = corpus.documents(targets[: NEIGHBOURS_SHOWN * 4])
    return [known[target].title for target in targets if target in known][:NEIGHBOURS_SHOWN]
