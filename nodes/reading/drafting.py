"""drafting: a reading as the answer of a run, with its citations resolved to rows, sentences and pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from backtrail.language.short_answers import short_form
from backtrail.nodes.reading.citing import citation
from backtrail.nodes.reading.grounds import with_grounds
from backtrail.state.answer import Answer
from backtrail.state.answer_decisions import EvidenceText, Reading
from backtrail.state.component import Component, Document


def drafted(
    reading: Reading,
    texts: Sequence[EvidenceText],
    components: Mapping[str, Component],
    documents: Mapping[str, Document],
) -> Answer:
    """The answer with what it rests on; an unsupported one is an abstention and cites nothing."""
    by_id = {text.id: text for text in texts}
    citations = [
        citation(piece, component, documents.get(component.document), by_id[component.id])
        for piece in reading.citations
        for component in [components[piece.component]]
    ]
    answer: Answer = {
        "short": short_form(reading.short, reading.text) if reading.supported else "",
        "text": reading.text,
        "citations": citations if reading.supported else [],
        "confidence": round(reading.confidence, 4) if reading.supported else 0.0,
        "abstained": not reading.supported,
    }
    return with_grounds(answer, reading.grounds)
