"""Other places with the same text as a citation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from backtrail.nodes.reading.component_views import locator
from backtrail.state.answer import Answer, Citation, DuplicateSource
from backtrail.state.component import Component
from backtrail.state.evidence import Evidence
from backtrail.state.settings import Settings
from backtrail.tools.toolbox import Toolbox
from backtrail.tools.web.contents import ContentsReader

MOST_PLACES = 5
"""Most places that a citation lists: a notice may be on every page of a site."""


def with_duplicate_sources(
    toolbox: Toolbox, settings: Settings, reply: Answer, evidence: Mapping[str, Evidence]
) -> Answer:
    """Add the found duplicates to citations and quotes. Reads the corpus (blocking)."""
    others = {key: duplicates for key, one in evidence.items() if (duplicates := one.get("duplicates"))}
    quotes = reply.get("quotes", [])
    if not any(one["component"] in others for one in (*reply["citations"], *quotes)):
        return reply
    contents = toolbox.contents(settings)
    result: Answer = {**reply, "citations": _add_places(contents, reply["citations"], others)}
    if quotes:
        result["quotes"] = _add_places(contents, quotes, others)
    return result


def _add_places(contents: ContentsReader, cited: Sequence[Citation], others: Mapping[str, list[str]]) -> list[Citation]:
    named = [key for one in cited for key in others.get(one["component"], [])]
    components = contents.components(list(dict.fromkeys([*named, *(one["component"] for one in cited)])))
    documents = contents.documents({component.document for component in components.values()})
    result: list[Citation] = []
    for one in cited:
        whole = components.get(one["component"])
        same = [components[key] for key in others.get(one["component"], []) if key in components]
        same = [other for other in same if whole is not None and _says(other, whole, one["quote"])]
        places: list[DuplicateSource] = [
            {
                "component": other.id,
                "document": other.document,
                "title": documents[other.document].title if other.document in documents else other.document,
                "section": other.section,
                "modality": other.modality,
                "locator": locator(other, documents.get(other.document)),
            }
            for other in same[:MOST_PLACES]
        ]
        citation: Citation = {**one, "duplicates": places} if places else one
        result.append({**citation, "more_duplicates": len(same) - MOST_PLACES} if len(same) > MOST_PLACES else citation)
    return result


def _says(other: Component, whole: Component, quote: str) -> bool:
    """Return whether another component contains the quote: a shorter one may lack it."""
    if other.text is None or whole.text is None or len(other.text.split()) >= len(whole.text.split()):
        return True
    return " ".join(quote.split()) in " ".join(other.text.split())
