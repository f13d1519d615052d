"""Construction of a run's answer from a reading, with citations of rows, sentences and pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from backtrail.language.short_answers import short_form
from backtrail.nodes.reading.answer_grounds import with_grounds
from backtrail.nodes.reading.citations import citation
from backtrail.nodes.reading.computed_evidence import computation_citations
from backtrail.nodes.reading.offline_answer import with_offline_answer
from backtrail.rules.judge import check_claims, extract_claims
from backtrail.state.answer import Answer, Citation
from backtrail.state.answer_decisions import CitedPiece, EvidenceText, Reading
from backtrail.state.component import Component, Document
from backtrail.state.computation import Computation
from backtrail.state.judge_decisions import CheckInputs, ClaimsInputs


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

    Sentences that share too few words with the cited pieces are listed as ``unsupported``, for the user to check. A
    reading by rules adds its confidence and quotes.
    """
    by_id = {text.id: text for text in texts}
    citations: list[Citation] = []
    for piece in reading.citations:
        if piece.component in computations:
            citations += computation_citations(computations[piece.component], components, documents)
        else:
            component = components[piece.component]
            citations.append(citation(piece, component, documents.get(component.document), by_id[component.id]))
    answer: Answer = {
        "short": short_form(reading.short, reading.text) if reading.supported else "",
        "text": reading.text,
        "citations": citations if reading.supported else [],
        "confidence": round(reading.confidence, 4) if reading.supported else 0.0,
        "abstained": not reading.supported,
    }
    if not answer["abstained"] and reading.text != reading.short and (unsupported := _unsupported(question, answer)):
        answer["unsupported"] = unsupported

    def quote(piece: CitedPiece) -> Citation:
        component = components[piece.component]
        return citation(piece, component, documents.get(component.document), by_id[component.id])

    return with_offline_answer(with_grounds(answer, reading.grounds), reading, quote)


def _unsupported(question: str, answer: Answer) -> list[str]:
    """Return sentences whose content words, except the question's, are mostly in no cited row or sentence."""
    cited = answer["citations"]
    claims = extract_claims(ClaimsInputs(question=question, text=answer["text"])).claims
    in_full = all("row" in one["locator"] or "sentence" in one["locator"] for one in cited)  # longer quotes are cut
    if not claims or not cited or not in_full:
        return []
    words = "\n".join(f"{one['title']}. {one['section']}. {one['quote']}" for one in cited)
    borne = check_claims(CheckInputs(question=question, claims=claims, reference=words)).supported
    return [sentence for sentence, supported in zip(claims, borne, strict=True) if not supported]
