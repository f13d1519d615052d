"""Construction of a run's answer from a reading, with citations of rows, sentences and pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from backtrail.language.short_answers import short_form, short_list
from backtrail.nodes.reading.answer_grounds import with_grounds
from backtrail.nodes.reading.answer_structure import Numbering, structured
from backtrail.nodes.reading.citations import citation
from backtrail.nodes.reading.component_views import whole_text
from backtrail.nodes.reading.computed_evidence import computation_citations, computed_text
from backtrail.nodes.reading.offline_answer import with_offline_answer
from backtrail.rules.citation_check import not_found
from backtrail.state.answer import Answer, Citation
from backtrail.state.answer_decisions import CitedPiece, EvidenceText, Reading
from backtrail.state.answer_structure import Structure, with_structure
from backtrail.state.component import Component, Document
from backtrail.state.computation import Computation
from backtrail.state.structured_reading import Structured


def build_answer(
    reading: Reading,
    texts: Sequence[EvidenceText],
    components: Mapping[str, Component],
    documents: Mapping[str, Document],
    *,
    question: str,
    computations: Mapping[str, Computation] = MappingProxyType({}),
) -> Answer:
    """Build the answer with its citations; an unsupported one is an abstention without citations.

    Numbers and names of the text that nothing it cites contains are listed as ``not_found``, for the user to check. A
    reading by rules adds its confidence and quotes.
    """
    by_id = {text.id: text for text in texts}

    def cite(piece: CitedPiece) -> list[Citation]:
        if computation := computations.get(piece.component):
            return computation_citations(computation, components, documents)
        component = components[piece.component]
        return [citation(piece, component, documents.get(component.document), by_id[component.id])]

    numbering = Numbering(cite)
    answer = numbered_answer(reading, numbering)
    if answer["citations"]:
        cited = {one["component"]: components[one["component"]] for one in answer["citations"]}
        results = {
            one.component: computations[one.component] for one in reading.pieces if one.component in computations
        }
        computed = [line for key, one in results.items() for line in computed_text(key, one).sentences]
        sources = [_source(one, documents.get(one.document), by_id.get(one.id)) for one in cited.values()]
        seen = any(one.image and one.image.blob for one in cited.values())  # what a picture shows is not compared
        if missing := [] if seen else _not_found(answer, [question, *computed, *sources]):
            answer["not_found"] = missing

    return with_offline_answer(with_grounds(answer, reading.grounds), reading, lambda piece: cite(piece)[0])


def numbered_answer(reading: Reading, numbering: Numbering) -> Answer:
    """Return the answer of a reading: the text's citations come first, then those of its structure, each once."""
    numbering.of(reading.citations if reading.supported else [])
    structure = structured(reading, numbering) if reading.supported and isinstance(reading, Structured) else Structure()
    listed = short_list(item["text"] for item in structure.get("items", []))
    return {
        "short": short_form(reading.short or listed, reading.text) if reading.supported else "",
        "text": reading.text,
        "citations": numbering.citations,
        "confidence": round(reading.confidence, 4) if reading.supported else 0.0,
        "abstained": not reading.supported,
        **structure,
    }


def _not_found(answer: Answer, sources: Sequence[str]) -> list[str]:
    """Return numbers and names of the answer that no source contains."""
    pieces = [one["quote"] for one in answer["citations"] if {"row", "sentence", "rows"} & one["locator"].keys()]
    return not_found(with_structure(answer["text"], answer), sources, pieces)


def _source(component: Component, document: Document | None, shown: EvidenceText | None) -> str:
    """Return all that a reader may know from a cited component, uncut."""
    whole = whole_text(component, document, 0.0)
    rows = [" | ".join(row) for row in (whole.header, *whole.rows)]
    led = [f"{one.text} {one.words}" for one in shown.linked_from] if shown else []
    titles = [component.id, whole.title, whole.section, component.section, shown.title if shown else ""]
    return "\n".join([*titles, *whole.sentences, *rows, *led])
