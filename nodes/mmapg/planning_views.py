"""The planner's view of the planning graph: every node with its parents, bounded in size."""

from __future__ import annotations

from backtrail.language.shorten import shortened
from backtrail.language.terms import content_terms
from backtrail.nodes.graph_traversal.new_names import names_not_in_question
from backtrail.state.component import Link
from backtrail.state.evidence import Evidence
from backtrail.state.mmapg.planning_decisions import NodeView
from backtrail.state.mmapg.planning_graph import PlanningNode
from backtrail.tools.corpus.protocol import CorpusReader

GRAPH_CHARACTERS = 12_000
"""Characters of all contents together; beyond it, long ones are cut to equal shares (ours)."""
LEAST_CHARACTERS = 200
SOURCES_SHOWN = 6
LINKED_SHOWN = 10


def node_views(
    nodes: list[PlanningNode], evidence: dict[str, Evidence], corpus: CorpusReader, question: str
) -> list[NodeView]:
    """Return the views of all nodes but the stop. Reads the corpus (blocking)."""
    grown = [node for node in nodes if node["kind"] != "stop"]
    links = corpus.links({source for node in grown for source in node["sources"]})
    names = names_not_in_question(
        corpus, question, {node["id"]: node["content"] for node in grown if node["status"] == "found"}
    )
    share = _share([len(node["content"]) for node in grown])
    added = _added(grown)
    onward = {node["id"]: _leading_on(node, evidence, links) for node in grown}
    linked = _linked(corpus, question, onward)
    return [
        NodeView(
            id=node["id"],
            type=node["kind"],  # type: ignore[arg-type]  # stops are filtered out
            parents=node["parents"],
            status=node["status"],
            instruction=node["instruction"],
            within=node["within"],
            content=shortened(node["content"], question, share),
            sources=_titles(node, evidence),
            added=added[node["id"]],
            links=len(onward[node["id"]]),
            linked=linked[node["id"]],
            names=names.get(node["id"], []),
            conflicts=node.get("conflicts", []),
            settled=True if node.get("settled") else None,
            coverage=max((evidence[one]["coverage"] for one in node["sources"] if one in evidence), default=0.0),
        )
        for node in grown
    ]


def _added(nodes: list[PlanningNode]) -> dict[str, int]:
    """Count the sources of each retrieval that are new to the graph."""
    known: set[str] = set()
    added: dict[str, int] = {}
    for node in nodes:
        new = set(node["sources"]) - known if node["kind"] == "retrieval" else set[str]()
        added[node["id"]] = len(new)
        known |= new
    return added


def _leading_on(node: PlanningNode, evidence: dict[str, Evidence], links: dict[str, list[Link]]) -> list[str]:
    """Return other documents that the sources of a node link to, in the order of the links."""
    own = {evidence[source]["document"] for source in node["sources"] if source in evidence}
    targets = (link.target for source in node["sources"] for link in links.get(source, []))
    return [target for target in dict.fromkeys(targets) if target not in own]


def _linked(corpus: CorpusReader, question: str, onward: dict[str, list[str]]) -> dict[str, list[str]]:
    """Return titles of linked documents, those with most words of the question first."""
    wanted = content_terms(question)
    documents = corpus.documents({target for targets in onward.values() for target in targets})
    titles = {
        key: [documents[target].title for target in targets if target in documents] for key, targets in onward.items()
    }
    return {
        key: sorted(found, key=lambda title: -len(wanted & content_terms(title)))[:LINKED_SHOWN]
        for key, found in titles.items()
    }


def _share(lengths: list[int]) -> int:
    """Return the longest content for which all contents stay within the bound."""
    if sum(lengths) <= GRAPH_CHARACTERS:
        return max(lengths, default=0)
    # What short contents do not need goes to long ones.
    room, share = GRAPH_CHARACTERS, 0
    for place, length in enumerate(sorted(lengths)):
        share = room // (len(lengths) - place)
        if length > share:
            return max(share, LEAST_CHARACTERS)
        room -= length
    return max(share, LEAST_CHARACTERS)


def _titles(node: PlanningNode, evidence: dict[str, Evidence]) -> list[str]:
    titles = [evidence[source]["title"] for source in node["sources"] if source in evidence]
    return list(dict.fromkeys(titles))[:SOURCES_SHOWN]
