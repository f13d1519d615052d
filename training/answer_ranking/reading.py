"""Reading: the candidates and passages of a recorded question, with how right each of them is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from backtrail.evals.questions import Question
from backtrail.evals.scorers.answers import f1
from backtrail.evals.scorers.quotes import hold_answer
from backtrail.evals.scorers.wordings import says, says_answer
from backtrail.language.active import reading_in, reads_english
from backtrail.language.identify import language_of
from backtrail.language.questions import analyse
from backtrail.language.terms import content_terms
from backtrail.rules.reader.candidates import Candidate, candidates, tentative
from backtrail.rules.reader.passages import Passage
from backtrail.rules.reader.quote_signals import Signalled, with_candidates
from backtrail.rules.reader.quotes import likeliest, passages_alone
from backtrail.rules.reader.ranking import all_signals, weighed_by
from backtrail.training.answer_ranking.listwise import Choices, Floats
from backtrail.training.answer_ranking.recorded import Recorded

# A candidate is right when it has the words of an answer and no others; articles and order make no difference.
_SAME_WORDS = 0.99

Weights = Mapping[str, float]


@dataclass(frozen=True)
class Read:
    """A question with its candidates and passages; none where nothing was found or it is not in English.

    ``quotable``: passages with those signals that do not depend on how candidates are weighed.
    """

    row: Recorded
    found: Sequence[Candidate]
    signals: Sequence[Weights]
    quotable: Sequence[Signalled]

    @property
    def question(self) -> Question:
        """With its answers and gold."""
        return self.row.question


def read(row: Recorded) -> Read:
    """The candidates and passages of a recorded question."""
    with reading_in(language_of(row.question.question)):
        inputs = row.inputs
        shape = analyse(inputs.question if inputs else row.question.question)
        if inputs is None or not reads_english() or not shape.terms:
            return Read(row, [], [], [])
        found = candidates(inputs, shape)
        told = {frozenset(content_terms(text)) for text in tentative(inputs.known)}
        signals = all_signals(found, inputs, shape, told)
        return Read(row, found, signals, passages_alone(inputs, shape))


def candidate_choices(
    one: Read, names: Sequence[str], fixed: Weights, likely: tuple[Weights, int] | None = None
) -> Choices:
    """The candidates to learn from.

    Args:
        names: the signals that are weighed.
        fixed: weights that are not learnt.
        likely: of the candidates so many are taken, the likeliest by these weights; all where None.
    """
    places = range(len(one.found)) if likely is None else _likeliest(one, *likely)
    answers = one.question.answers
    found, signals = [one.found[place] for place in places], [one.signals[place] for place in places]
    right = [float(any(_is_answer(item.text, wording) for wording in answers)) for item in found]
    return Choices(_table(signals, names), np.array(right), np.array(_scores(signals, fixed)))


def _likeliest(one: Read, weighed: Weights, most: int) -> list[int]:
    scores = _scores(one.signals, weighed)
    return sorted(range(len(scores)), key=lambda place: -scores[place])[:most]


def _scores(signals: Sequence[Weights], weighed: Weights) -> list[float]:
    return [sum(weight * own.get(name, 0.0) for name, weight in weighed.items()) for own in signals]


def _is_answer(text: str, wording: str) -> bool:
    """Whether a candidate has the words of an answer and no others, or says it as readings are judged by."""
    return f1(text, wording) >= _SAME_WORDS or says(text, wording)


def listed_passages(one: Read, weighed: Weights) -> list[Signalled]:
    """What could be quoted, with candidates ranked by these weights."""
    return with_candidates(one.quotable, weighed_by(weighed, one.found, one.signals))


def passage_choices(one: Read, held: Sequence[Signalled], names: Sequence[str]) -> Choices:
    """The passages to learn from: right as far as they say the parts of the answer, and only in gold where it is known.

    Where the gold is not known a passage anywhere counts.
    """
    gold = {component for group in one.question.gold for component in group}
    parts = one.question.parts or (one.question.answers,)

    def right(item: Passage) -> float:
        if gold and item.piece.evidence.id not in gold:
            return 0.0
        return sum(any(says(item.text, wording) for wording in part) for part in parts) / len(parts)

    table = _table([item.signals for item in held], names)
    return Choices(table, np.array([right(item.passage) for item in held]), np.zeros(len(held)))


def first_is_right(one: Read, weighed: Weights) -> bool:
    """Whether the best candidate by these weights says the answer."""
    ranked = weighed_by(weighed, one.found, one.signals)
    return bool(ranked) and says_answer(one.question, ranked[0].candidate.text)


def quotes_are_right(one: Read, held: Sequence[Signalled], weighed: Weights) -> bool:
    """Whether the quotes that these weights choose hold the answer."""
    shape = analyse(one.row.inputs.question) if one.row.inputs else None
    return shape is not None and hold_answer(one.question, [item.text for item in likeliest(weighed, held, shape)])


def _table(signals: Sequence[Weights], names: Sequence[str]) -> Floats:
    return np.array([[one.get(name, 0.0) for name in names] for one in signals], np.float64).reshape(-1, len(names))
