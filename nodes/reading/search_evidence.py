"""Evidence records of a search's ranking."""

from __future__ import annotations

from backtrail.language.terms import content_terms, coverage
from backtrail.nodes.reading.component_views import locator, snippet
from backtrail.state.evidence import Evidence
from backtrail.state.hop import Scored
from backtrail.tools.corpus.protocol import CorpusReader


def found_evidence(
    corpus: CorpusReader, question: str, ranking: list[Scored], *, hop: int = 0, query: str = ""
) -> dict[str, Evidence]:
    """Return records by component id; removed ones are dropped. Reads the corpus (blocking)."""
    ids = [scored["id"] for scored in ranking]
    components = corpus.components(ids)
    documents = corpus.documents({component.document for component in components.values()})
    wanted = content_terms(question, corpus.language(question))
    rarity, present = corpus.rarity(wanted), corpus.component_terms(ids)
    found: dict[str, Evidence] = {}
    for scored in ranking:
        component = components.get(scored["id"])
        if component is None:
            continue
        document = documents.get(component.document)
        found[component.id] = {
            "component": component.id,
            "modality": component.modality,
            "document": component.document,
            "title": document.title if document else component.document,
            "snippet": snippet(component),
            "locator": locator(component),
            "score": scored["score"],
            "coverage": round(coverage(wanted, present.get(component.id, frozenset()), rarity), 4),
            "hop": hop,
            "query": query,
        }
        if duplicates := [key for key in scored.get("duplicates", []) if key not in found]:
            found[component.id]["duplicates"] = duplicates
    return found
