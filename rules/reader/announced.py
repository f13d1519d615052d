"""Announced: the list that a sentence with a colon at its end announces, wherever on the page it stands next."""

from __future__ import annotations

from functools import cached_property

from backtrail.rules.reader.support import Piece
from backtrail.state.answer_decisions import AnswerInputs, EvidenceText
from backtrail.state.offline.extract import ExtractInputs

# An entry of a list is shorter than this, and a list that is read whole has no more of them.
ITEM_CHARACTERS = 120
MOST_ITEMS = 8
LIST_JOINT = "; "
_COLONS = (":", "：")
_STOPS = (*_COLONS, ".", "。", "!", "?")


def leads_in(piece: Piece, text: str = "") -> bool:
    """Whether a sentence, or this part of it, only announces what comes next: a list, a command, a table."""
    return piece.row is None and (text or piece.text).rstrip().endswith(_COLONS)


class Announced:
    """What stands next on the pages of the evidence."""

    def __init__(self, inputs: AnswerInputs) -> None:
        self._inputs = inputs

    @cached_property
    def _by_place(self) -> dict[tuple[str, int], EvidenceText]:
        beside = self._inputs.beside if isinstance(self._inputs, ExtractInputs) else []
        return {(one.page, one.order): one for one in [*self._inputs.evidence, *beside] if one.order is not None}

    def by(self, piece: Piece) -> list[str]:
        """The entries that follow a piece; none where what follows is no list, or one too long to be an answer."""
        item = piece.evidence
        following = item.sentences[(piece.sentence or 0) + 1 :]
        if not following and item.order is not None:
            following = self._after(item, item.order)
        entries = [one for one in following if one.strip()]
        fits = 1 < len(entries) <= MOST_ITEMS and all(map(_is_entry, entries))
        return entries if fits else []

    def _after(self, item: EvidenceText, order: int) -> list[str]:
        """The lines of the next component; where that is a single entry, with those of such as come after it."""
        found: list[str] = []
        while (after := self._by_place.get((item.page, order := order + 1))) and after.section == item.section:
            single = len(after.sentences) == 1 and not after.sentences[0].rstrip().endswith(_STOPS)
            if found and not single:
                break
            found += after.sentences
            if not single:
                break
        return found


def _is_entry(line: str) -> bool:
    return len(line) <= ITEM_CHARACTERS and not line.rstrip().endswith(_COLONS)
