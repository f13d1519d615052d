"""Quotes: what of the evidence and of its pages most likely holds the answer, for where no span of it is sure enough.

Each quote is of one place: up to 600 characters of a text, or a row under its header with those of the other rows that
are likeliest as far as they fit. Passages are scored by a few signals, with weights that were learnt like those of
candidates (``quotes`` in ``ranking.json``). Quotes are taken one by one: what says more of the question than those
that are taken goes before another neighbour of theirs.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from backtrail.language.questions import QuestionShape
from backtrail.rules.reader.parts import asks_several
from backtrail.rules.reader.passages import Passage, key_of, passages_of, shown_with
from backtrail.rules.reader.quote_signals import Signalled, quotable, signals_alone, with_candidates
from backtrail.rules.reader.ranking import Ranked, weights
from backtrail.rules.reader.support import pieces
from backtrail.state.answer_decisions import AnswerInputs, CitedPiece
from backtrail.state.offline.extract import Quote

MOST_QUOTES = 3
# What of the question no quote says yet counts this much in the next one, more where several things are asked …
UNSAID, UNSAID_OF_SEVERAL = 1.0, 4.0
# … and a place that was quoted this much less.
QUOTED = 0.5
# … as is a page about a thing of the same name with another number, which is too rare to be learnt.
ANOTHER = 3.0
# … and a command or setting where one is asked for counts for it.
CODE = 1.5
# Of a question that asks several things a clause that no quote answers yet counts this much in the next one …
CLAUSE = 6.0
# … to which the similarity with the clause alone counts for this much more than what was learnt on whole questions.
NEAR_CLAUSE = 28.0
# Signals that choose quotes alone. How sure an answer is is calibrated by shares that do not know them.
CHOOSING = frozenset(("key", "cells", "depicted", "pairs", "around"))
# The sentence after it is shown with one before others of its place, unless they are this much likelier.
NEIGHBOUR = 0.5


@dataclass(frozen=True)
class Quoted:
    """Quotes, the likeliest first, and the share that the piece that was read has of all that could be quoted."""

    quotes: list[Quote]
    share: float


def quotes(
    inputs: AnswerInputs, shape: QuestionShape, listed: Sequence[Ranked], read: CitedPiece | None = None
) -> Quoted:
    """The pieces that most likely hold the answer; no two of them quote the same.

    Args:
        inputs: question, evidence, and what stands beside it.
        shape: of the question.
        listed: ranked candidates, if there are any: where good ones stand, the answer is likelier.
        read: the piece that an answer was read in, however sure: it is quoted first.
    """
    found = with_candidates(passages_alone(inputs, shape), listed)
    choosing = _Choosing(weights("quotes"), found, shape)
    share = choosing.share(read)
    return Quoted(choosing.chosen(read), share)


def passages_alone(inputs: AnswerInputs, shape: QuestionShape) -> list[Signalled]:
    """Every passage that could be quoted, with those of its signals that do not depend on candidates."""
    return signals_alone(passages_of(pieces(quotable(inputs))), inputs, shape)


def likeliest(weighed: Mapping[str, float], found: Sequence[Signalled], shape: QuestionShape) -> list[Quote]:
    """The best passages by these weights, no two overlapping; of equals the earlier."""
    return _Choosing(weighed, found, shape).chosen(None)


class _Choosing:
    """Quotes as they are taken one by one."""

    def __init__(self, weighed: Mapping[str, float], found: Sequence[Signalled], shape: QuestionShape) -> None:
        self.taken: list[Quote] = []
        self._shape = shape
        self._unsaid = UNSAID_OF_SEVERAL if asks_several(shape.text) else UNSAID
        self._left = dict(enumerate(found))
        self._scores = [_score(weighed, one.signals) for one in found]
        known = {name: weight for name, weight in weighed.items() if name not in CHOOSING}
        self._calibrated = [_score(known, one.signals) for one in found]
        self._shares = _shares_of_clauses(weighed, found, self._scores)
        self._open = [1.0] * len(self._shares)
        self._of: dict[tuple[str, str], list[int]] = defaultdict(list)
        for place, one in enumerate(found):
            self._of[one.passage.place].append(place)
        self._places: set[tuple[str, str]] = set()
        self._said: frozenset[str] = frozenset()

    def chosen(self, read: CitedPiece | None) -> list[Quote]:
        """The passage of what was read, then the others."""
        places = self._showing(read)
        if places:
            self.take(max(places, key=lambda place: (self._scores[place], -place)))
        while len(self.taken) < MOST_QUOTES and self._left:
            self.take(self.best())
        return self.taken

    def share(self, read: CitedPiece | None) -> float:
        """The part of the softmax over all passages that those have which show what was read, in [0, 1]."""
        shares = _softmax(self._calibrated)
        return sum(shares[place] for place in self._showing(read))

    def _showing(self, read: CitedPiece | None) -> list[int]:
        if read is None:
            return []
        key = (read.component, read.row, read.sentence)
        return [place for place, one in self._left.items() if key_of(one.passage.piece) == key]

    def best(self) -> int:
        """The passage that is worth most after those taken."""
        return max(self._left, key=lambda place: (self._worth(place), -place))

    def _worth(self, place: int) -> float:
        one = self._left[place]
        again = QUOTED * (one.passage.place in self._places)
        clauses = sum(left * shares[place] for left, shares in zip(self._open, self._shares, strict=True))
        unsaid = self._unsaid * one.gain(self._said) + CLAUSE * clauses * bool(self.taken)
        return self._scores[place] + unsaid - again

    def take(self, place: int) -> None:
        """Quote a passage, with others of its place that no quote shows yet."""
        one = self._left[place].passage
        others = [
            (self._scores[other] + NEIGHBOUR * found.passage.follows(one), found)
            for other in [*self._of[one.place], *self._announced(one)]
            if (found := self._left.get(other))
        ]
        others.sort(key=lambda entry: (-entry[0], entry[1].passage.order))
        shown = shown_with(one, (found.passage for _, found in others), self._shape.terms)
        piece = one.piece
        self.taken.append(Quote(component=one.component, row=piece.row, sentence=piece.sentence, text=shown.text))
        self._said |= frozenset[str]().union(*(found.terms for _, found in others if found.passage.key in shown.keys))
        self._places.add(one.place)
        gone = [found.passage for found in self._left.values() if found.passage.key in shown.keys]
        for found in sorted(self._left.values(), key=lambda found: found.passage.order, reverse=True):
            if _only_announces(found.passage, gone):
                gone.append(found.passage)
        keys = {passage.key for passage in gone}
        seen = [place for place, found in self._left.items() if found.passage.key in shown.keys]
        for number, shares in enumerate(self._shares):
            self._open[number] *= 1.0 - min(1.0, sum(shares[place] for place in seen))
        self._left = {key: found for key, found in self._left.items() if found.passage.key not in keys}

    def _announced(self, one: Passage) -> list[int]:
        """The place of what a passage that ends in a colon announces, where that is of another kind: a table, say."""
        if not one.leads_in or not one.last:
            return []
        return [place for place, found in self._left.items() if found.passage.number == 0
                and found.passage.place != one.place and found.passage.follows(one)]  # fmt: skip


def _shares_of_clauses(
    weighed: Mapping[str, float], found: Sequence[Signalled], scores: Sequence[float]
) -> list[list[float]]:
    """For each clause that is asked, the share of each passage in the softmax of how likely it answers that."""
    listed: list[list[float]] = []
    for number in range(len(found[0].clauses) if found else 0):
        own = (_weighed(weighed, one.clauses[number]) + NEAR_CLAUSE * one.clauses[number]["nearness"] for one in found)
        listed.append(_softmax([(score + of_clause) / 2 for score, of_clause in zip(scores, own, strict=True)]))
    return listed


def _score(weighed: Mapping[str, float], signals: Mapping[str, float]) -> float:
    return _weighed(weighed, signals) - ANOTHER * signals["another"] + CODE * signals["code"]


def _weighed(weighed: Mapping[str, float], signals: Mapping[str, float]) -> float:
    return sum(weighed.get(name, 0.0) * value for name, value in signals.items())


def _softmax(scores: Sequence[float]) -> list[float]:
    highest = max(scores, default=0.0)
    powers = [math.exp(max(-60.0, score - highest)) for score in scores]
    total = sum(powers)
    return [power / total for power in powers]


def _only_announces(one: Passage, shown: Sequence[Passage]) -> bool:
    """Whether a passage ends in a colon and what follows it is quoted already."""
    return one.leads_in and any(passage.follows(one) for passage in shown)
