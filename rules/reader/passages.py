"""Passages: quoted sentences and rows with their neighbours, in at most six lines."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from backtrail.language.terms import content_terms
from backtrail.rules.reader.support import Piece
from backtrail.state.answer_decisions import EvidenceText

# Six lines of a page: an average paragraph, or a header with some rows.
QUOTE_CHARACTERS = 600
_LEFT_OUT = " … "
# Between the names of two rows of a header.
_OVER = " / "

Place = tuple[str, str]


def place_of(piece: Piece) -> Place:
    """Return the context of a piece: the rows of its table, or the texts of its section if known."""
    item = piece.evidence
    alone = item.order is None or item.modality != "text" or piece.row is not None
    return (item.id, "") if alone else (item.page, item.section)


def order_of(piece: Piece) -> tuple[int, int]:
    """Position of a piece in its context."""
    return piece.evidence.order or 0, piece.row if piece.row is not None else piece.sentence or 0


def shown(
    piece: Piece, beside: Sequence[Piece], score: Callable[[Piece], float], wanted: frozenset[str]
) -> tuple[str, list[Piece]]:
    """Return the text of a quote and the pieces in it: the likeliest neighbours that fit.

    A text that ends in a colon is shown with what follows.

    Args:
        beside: the pieces of its context, in order.
        score: likelihood that a piece contains the answer; of equals the following piece comes first.
        wanted: terms of the question, to choose the columns of a row that does not fit.
    """
    taken = [piece]
    at = next(number for number, one in enumerate(beside) if one.key == piece.key)
    ahead = 100.0 if piece.text.rstrip().endswith((":", "：")) else 0.5
    ranked = sorted(
        (number for number in range(len(beside)) if number != at),
        key=lambda number: (-score(beside[number]) - ahead * (number == at + 1), number),
    )
    for number in ranked:
        tried = sorted([*taken, beside[number]], key=order_of)
        if len(_joined(tried, beside)) <= QUOTE_CHARACTERS:
            taken = tried
    if len(taken) == 1 and piece.row is not None:
        return _clipped(_row(piece.evidence, piece.row, wanted)), taken
    return _clipped(_around(_joined(taken, beside), wanted) if len(taken) == 1 else _joined(taken, beside)), taken


def _joined(taken: Sequence[Piece], beside: Sequence[Piece]) -> str:
    item, row = taken[0].evidence, taken[0].row
    if row is not None:
        lines = [item.header, *(item.rows[one.row or 0] for one in taken)]
        return "\n".join(" | ".join(" ".join(cell.split()) for cell in line) for line in lines if any(line))
    places = {one.key: number for number, one in enumerate(beside)}
    text, last = taken[0].text, places[taken[0].key]
    for one in taken[1:]:
        place = places[one.key]
        text += f"{' ' if place == last + 1 else _LEFT_OUT}{one.text}"
        last = place
    return text


def _row(item: EvidenceText, row: int, wanted: frozenset[str]) -> str:
    """Format a row with a name before each cell; if too long, the first cell and the columns asked for."""
    shared = "".join(next(iter(item.header), "").rpartition(_OVER)[:2])  # the title of a table over its columns
    names = [*(name.removeprefix(shared) for name in item.header), *[""] * len(item.rows[row])]
    cells = [f"{name}: {cell}" if name else cell for name, cell in zip(names, item.rows[row], strict=False) if cell]
    order = sorted(range(len(cells)), key=lambda place: (place > 0, not wanted & content_terms(cells[place]), place))
    kept: list[int] = []
    for place in order:
        if sum(len(cells[one]) + 2 for one in [*kept, place]) <= QUOTE_CHARACTERS or not kept:
            kept.append(place)
    return "; ".join(cells[place] for place in sorted(kept))


def _around(text: str, wanted: frozenset[str]) -> str:
    """Cut a long text to the stretch of words that covers most of the wanted terms."""
    if len(text) <= QUOTE_CHARACTERS:
        return text
    step = QUOTE_CHARACTERS // 2
    starts = range(0, min(len(text), 100 * step), step)
    best = max(starts, key=lambda start: (len(wanted & content_terms(text[start : start + 2 * step])), -start))
    return text[best:].partition(" ")[2] if best else text


def _clipped(text: str) -> str:
    """Cut a text at a word, with an ellipsis."""
    return text if len(text) <= QUOTE_CHARACTERS else text[: QUOTE_CHARACTERS - 1].rsplit(" ", 1)[0] + "…"
