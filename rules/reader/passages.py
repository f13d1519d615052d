"""Passages: what can be quoted, each from one place and short enough to be read at a glance.

A passage is a row or a sentence (of one that does not fit, a part). It is shown with what else of its place is
likeliest to hold the answer, as far as that fits: rows with others of the table under their header, sentences with
others of the section in their order.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from backtrail.language.terms import content_terms
from backtrail.rules.reader.announced import ITEM_CHARACTERS, LIST_JOINT, MOST_ITEMS, leads_in
from backtrail.rules.reader.support import Piece
from backtrail.state.answer_decisions import EvidenceText

# Six lines of a page: a paragraph of ordinary length, or a header with some rows. With 400 a fifth fewer of the answers
# to questions about real files stand in three quotes.
QUOTE_CHARACTERS = 600
# A sentence that is longer is parted at words; half of a quote, so that each part can be shown with its neighbour.
PART_CHARACTERS = QUOTE_CHARACTERS // 2
_CELLS = " | "
_LEFT_OUT = " … "
# Between a heading and those that it stands under.
_SECTIONS = " > "
_STOPS = tuple(".!?:;,…。！？：；)]”\"'»」")
# A heading that is an entry of a reference: a name as programs write it, or one with a number.
_ENTRY = re.compile(r"[\d_=$/<>\[\]|]|\w[-.]\w|^-|[a-z][A-Z]|\(\)$")
_NUMBERING = re.compile(r"^(?:\w{1,10} )?[\d.]+[.):]?\s+")
_ENTRY_WORDS = 6
# Between the names of two rows of a header.
_OVER = " / "


@dataclass(frozen=True)
class Passage:
    """A row, or a part of a text; ``number`` counts the rows or parts of its component."""

    piece: Piece
    text: str
    terms: frozenset[str]
    number: int
    last: bool = False

    @property
    def component(self) -> str:
        """The id of its component."""
        return self.piece.evidence.id

    @property
    def place(self) -> tuple[str, str]:
        """What it may be shown with: the rows of its table, or the texts of its section where that is known."""
        item = self.piece.evidence
        alone = item.order is None or item.modality != "text" or self.piece.row is not None
        return (item.id, "") if alone else (item.page, item.section)

    @property
    def order(self) -> tuple[int, int]:
        """Where in its place it stands."""
        return self.piece.evidence.order or 0, self.number

    def follows(self, other: Passage) -> bool:
        """Whether nothing stands between the other and this."""
        if self.component == other.component:
            return self.number == other.number + 1
        if self.piece.evidence.page != other.piece.evidence.page:
            return False
        return other.last and self.number == 0 and self.order[0] == other.order[0] + 1

    @property
    def leads_in(self) -> bool:
        """Whether it only announces what comes next: a list, a command, a table."""
        return leads_in(self.piece, self.text)

    @property
    def key(self) -> tuple[str, int]:
        """What tells it from all others."""
        return self.component, self.number


def key_of(piece: Piece) -> tuple[str, int | None, int | None]:
    """Component, row and sentence."""
    return piece.evidence.id, piece.row, piece.sentence


def passages_of(pieces: Iterable[Piece]) -> list[Passage]:
    """Every row and sentence; a sentence that does not fit into a quote in parts."""
    found: list[Passage] = []
    parts: dict[str, int] = {}
    for piece in pieces:
        if piece.row is not None:
            found.append(Passage(piece, piece.text, piece.own, piece.row))
            continue
        texts = list(_parts(piece.text))
        ends = piece.sentence is None or piece.sentence + 1 == len(piece.evidence.sentences)
        for text in texts:
            number = parts[piece.evidence.id] = parts.get(piece.evidence.id, -1) + 1
            terms = piece.own if text == piece.text else content_terms(text)
            found.append(Passage(piece, text, terms, number, ends and text is texts[-1]))
    return found


def beside_in_place(found: Sequence[Passage]) -> Iterator[tuple[Passage, list[Passage]]]:
    """Each passage with those of its place that stand right before and after it."""
    places: dict[tuple[str, str], list[Passage]] = defaultdict(list)
    for one in found:
        places[one.place].append(one)
    for listed in places.values():
        listed.sort(key=lambda one: one.order)
        for number, one in enumerate(listed):
            before, after = listed[max(0, number - 1) : number], listed[number + 1 : number + 2]
            yield one, [*(other for other in before if one.follows(other)), *(o for o in after if o.follows(one))]


def _parts(text: str) -> Iterator[str]:
    if len(text) <= QUOTE_CHARACTERS:
        yield text
        return
    held: list[str] = []
    length = 0
    for word in text.split():
        if held and length + len(word) > PART_CHARACTERS:
            yield " ".join(held)
            held, length = [], 0
        held.append(word)
        length += len(word) + 1
    yield " ".join(held)


@dataclass(frozen=True)
class Shown:
    """The text of a quote, and which passages are in it."""

    text: str
    keys: frozenset[tuple[str, int]]


def shown_with(one: Passage, others: Iterable[Passage], wanted: frozenset[str]) -> Shown:
    """A passage as it is quoted; what ends in a colon never without the beginning of what follows, if that is at hand.

    Above what a reference says of an entry ("When set, the filter is turned off.") its name stands, in the heading.

    Args:
        others: those of the same place that may be shown with it, the likeliest to hold the answer first.
        wanted: terms of the question: of a row that does not fit, their columns are shown.
    """
    listed = [other for other in others if other.key != one.key]
    taken = [one]
    entry = _entry(one)
    most = QUOTE_CHARACTERS - len(entry)
    announced = _announced(one, listed)
    for other in [*announced, *listed]:
        together = [passage for passage in (other, *_announced(other, listed)[:1]) if passage not in taken]
        if together and not together[-1].leads_in and len(_text([*taken, *together], wanted)) <= most:
            taken += together
    if announced and len(taken) == 1:  # what is cut off may still be quoted for itself
        return Shown(_clip(_under(entry, _text([one, announced[0]], wanted))), frozenset((one.key,)))
    return Shown(_clip(_under(entry, _text(taken, wanted))), frozenset(passage.key for passage in taken))


def _entry(one: Passage) -> str:
    """The heading over a text with a colon behind, where it is a name as a reference has them; else nothing."""
    heading = one.piece.evidence.section.split(_SECTIONS)[-1].strip()
    named = len(heading.split()) <= _ENTRY_WORDS and _ENTRY.search(_NUMBERING.sub("", heading))
    return f"{heading}: " if one.piece.row is None and named else ""


def _under(entry: str, text: str) -> str:
    return text if entry.removesuffix(": ").casefold() in text.casefold() else entry + text


def _announced(one: Passage, others: Sequence[Passage]) -> list[Passage]:
    """What a passage that ends in a colon announces: what comes next, and all short passages right after it."""
    found: list[Passage] = []
    while len(found) < MOST_ITEMS and (one.leads_in if not found else _is_item(found[-1])):
        last = found[-1] if found else one
        after = next((other for other in others if other.follows(last)), None)
        if after is None:
            break
        found.append(after)
    return found


def _is_item(one: Passage) -> bool:
    return not one.leads_in and len(one.text) <= ITEM_CHARACTERS


def _text(shown: Sequence[Passage], wanted: frozenset[str]) -> str:
    ordered = sorted(shown, key=lambda passage: passage.order)
    if ordered[0].piece.row is not None:
        return table_text(ordered[0].piece.evidence, [passage.number for passage in ordered], wanted)
    joints = [_joint(before, after) for before, after in pairwise(ordered)]
    return "".join(text for pair in zip((p.text for p in ordered), [*joints, ""], strict=True) for text in pair)


def _joint(before: Passage, after: Passage) -> str:
    """What stands between two passages: entries of a list, which end without a stop, are told apart by a sign."""
    if not after.follows(before):
        return _LEFT_OUT
    if before.text.rstrip().endswith(_STOPS) or len(before.text) > ITEM_CHARACTERS:
        return " "
    return ". " if after.text.rstrip().endswith(_STOPS) else LIST_JOINT


def table_text(item: EvidenceText, rows: Sequence[int], wanted: frozenset[str] = frozenset()) -> str:
    """Rows under their header; a single one with a name before each cell, which is not said twice in a row.

    Columns without a cell in these rows are left out. Of a row that does not fit the first cell is shown, those of
    columns that are asked for, then the others in order.

    Args:
        wanted: terms of what is asked for.
    """
    header = _names(item.header)
    width = max(len(item.rows[row]) for row in rows)
    columns = [place for place in range(width) if any(_cell(item.rows[row], place) for row in rows)]
    if len(rows) > 1:
        lines = [header, *(item.rows[row] for row in rows)]
        told = [_CELLS.join(_cell(line, place) for place in columns) for line in lines]
        return "\n".join(line for line in told if line.strip(" |"))
    names = {
        place: name for place in columns if (name := _cell(header, place)) != _cell(header, place - 1) or not place
    }
    cells = [
        (place, f"{names[place]}: {cell}" if names.get(place) else cell)
        for place in columns
        for cell in [_cell(item.rows[rows[0]], place)]
    ]
    length = -2
    shown: list[tuple[int, str]] = []
    for place, cell in sorted(cells, key=lambda one: (one[0] > 0, not wanted & content_terms(one[1]), one[0])):
        if length + 2 + len(cell) <= QUOTE_CHARACTERS or not shown:
            shown.append((place, cell))
            length += 2 + len(cell)
    return _clip("; ".join(cell for _, cell in sorted(shown)))


def _cell(row: Sequence[str], place: int) -> str:
    return " ".join(row[place].split()) if 0 <= place < len(row) else ""


def _names(header: Sequence[str]) -> list[str]:
    """The header without what all its names begin with: the title of the table over each of its columns."""
    named = [name for name in header if name.strip()]
    over = named[0].rfind(_OVER) + len(_OVER) if len(named) > 1 and _OVER in named[0] else 0
    shared = named[0][:over] if over else ""
    while shared and not all(name.startswith(shared) for name in named):
        over = shared.removesuffix(_OVER).rfind(_OVER)
        shared = shared[: over + len(_OVER)] if over >= 0 else ""
    return [name.removeprefix(shared) for name in header]


def _clip(text: str) -> str:
    """Text cut at a word, with an ellipsis that shows the cut."""
    return text if len(text) <= QUOTE_CHARACTERS else text[: QUOTE_CHARACTERS - 1].rsplit(" ", 1)[0] + "…"
