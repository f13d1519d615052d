"""Construction of citations."""

from __future__ import annotations

from collections.abc import Sequence

from backtrail.nodes.reading.component_views import clip, locator
from backtrail.state.answer import Citation
from backtrail.state.answer_decisions import CitedPiece, EvidenceText
from backtrail.state.component import Component, Document
from backtrail.state.offline.extract import Quote

QUOTE_CHARACTERS = 300


def citation(
    piece: CitedPiece,
    component: Component,
    document: Document | None,
    text: EvidenceText,
    rows: Sequence[int] | None = None,
) -> Citation:
    """Cite a row with its cells, a sentence, or the whole component; a quote as shown.

    Args:
        text: the component as the reader saw it, which numbers rows and sentences of the piece.
        rows: the original numbers of the shown rows, if only some were shown.
    """
    row = rows[piece.row] if rows is not None and piece.row is not None else piece.row
    place = locator(component, document, row)
    quote = " ".join(text.sentences)
    if piece.row is not None and row is not None:
        place["row"] = row
        if component.locator.first_row is not None:
            place["source_row"] = component.locator.first_row + place["row"]
        cells = zip(text.header, text.rows[piece.row], strict=False)
        quote = "; ".join(f"{head}: {cell}" if head else cell for head, cell in cells if cell)
    elif piece.sentence is not None:
        place["sentence"] = piece.sentence
        quote = text.sentences[piece.sentence]
    if isinstance(piece, Quote) and _shows_more(piece, quote):
        place["around"] = True
    return {
        "component": component.id,
        "document": component.document,
        "title": text.title,
        "section": text.section,
        "modality": component.modality,
        "locator": place,
        "quote": piece.text if isinstance(piece, Quote) else clip(quote, QUOTE_CHARACTERS),
    }


def _shows_more(piece: Quote, alone: str) -> bool:
    """Return whether a quote shows more than its row (one per line) or sentence."""
    if piece.row is not None:
        return "\n" in piece.text
    return piece.sentence is not None and len(" ".join(piece.text.split())) > len(" ".join(alone.split()))
