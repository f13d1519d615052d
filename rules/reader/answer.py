"""The extractive reader: the best span or cell of the evidence with its citation, or an abstention.

Candidates are spans of sentences and cells of rows. A candidate is the better the more of the
question its chain covers (the piece, its page, the row that led there), the better its kind suits
what is asked, and the nearer it stands to the words of the asking clause. Pieces that say no word
of that clause are not read; tables of labelled entries are read first, by their labels. The weights are few and
were set by hand after a look at which signals tell right from wrong on half of a public question
set; the other half confirmed them.
"""

from __future__ import annotations

import math

from backtrail.language.active import reads_english
from backtrail.language.pointing import pointing_phrases, points
from backtrail.language.questions import QuestionShape, analyse
from backtrail.language.terms import content_terms
from backtrail.rules.reader.any_language import quote
from backtrail.rules.reader.candidates import Candidate, candidates, tentative
from backtrail.rules.reader.choices import answer_choice, answer_yes_no
from backtrail.rules.reader.labels import labelled
from backtrail.rules.reader.replies import abstain, abstain_unsaid, cite
from backtrail.state.answer_decisions import SHORT_CHARACTERS, AnswerInputs, Reading

# Weight of each signal in [0, 1]. Nearness to the asking words decides most, as it must tell apart
# the spans of one sentence; coverage tells apart the pieces.
WEIGHTS: dict[str, float] = {
    "chain": 2.0,  # the chain covers the question
    "near": 5.0,  # the words of the asking clause stand by the span
    "near_any": 1.5,  # any word of the question does
    "headed": 1.75,  # the span contains the noun asked for: "which highway" – "Pan American Highway"
    "preposition": 1.75,  # "by" before who, "in" before where and when
    "focus": 1.0,  # the piece itself says the asking clause
    "extreme": 1.25,  # the row that the superlative picks, or a page it leads to
    "early": 0.5,  # pages define their subject first
    "rank": 0.5,  # the ranking before us; small, as it ranks components and not answers
    "bridge": 1.0,  # the page is what an earlier subquery found
    "told": 1.0,  # an earlier step read the same answer
    "echo": -1.75,  # words of the question are seldom its answer
    "subject": -1.0,  # the title of a page is seldom what is asked about it
}
# Signals that count only as far as the chain covers the question: a fitting column in a wrong table is nothing.
COVERED_WEIGHTS: dict[str, float] = {
    "fit": 4.0,  # a date for when, a name for who
    "header": 5.5,  # the column is named like what is asked
    "asked": 2.5,  # the column is named like another word of the asking clause
}
# Below this share of the question covered by the best chain the evidence is about something else.
# Measured: at 0.45 nearly all questions asked of foreign evidence are refused, one in seven of those with gold.
LEAST_COVERAGE = 0.45
# Answers with a lower score are guesses. No answer to 200 questions with their gold evidence scored lower.
LEAST_SCORE = 4.0
# Answers with this score were right every other time; the slope was read off fifths of 500 questions.
EVEN_SCORE = 10.3
CURVE_SLOPE = 0.37


def answer(inputs: AnswerInputs) -> Reading:
    """The answer that the evidence supports best, or one sentence on what was not found."""
    shape = analyse(_named(inputs))
    if not inputs.evidence or not shape.terms:
        return abstain(shape, None)
    if not reads_english():
        return quote(inputs, shape)
    if shape.kind == "yes_no":
        return answer_yes_no(inputs, shape)
    if shape.kind == "choice":
        return answer_choice(inputs, shape, answer)
    return labelled(inputs, shape) or read(inputs, shape)


def _named(inputs: AnswerInputs) -> str:
    """The question; where it points at its picture, the reformulation that says all the rest of it with a name."""
    if inputs.queries and points(inputs.question):
        pointed = content_terms(" ".join(pointing_phrases(inputs.question)))
        rest = content_terms(inputs.question) - pointed
        for query in inputs.queries:
            if rest <= content_terms(query) and not points(query):
                return query
    return inputs.question


def read(inputs: AnswerInputs, shape: QuestionShape) -> Reading:
    """The best candidate, if its chain covers enough of the question."""
    told = {frozenset(content_terms(text)) for text in tentative(inputs.known)}
    ranked = sorted(
        ((score(candidate, told), candidate) for candidate in candidates(inputs, shape)),
        # Of two readings of the same place the fuller one: "Toledo, Oregon" before "Toledo".
        key=lambda entry: (-round(entry[0], 9), -len(entry[1].text), entry[1].text),
    )
    if not ranked:
        return abstain_unsaid(shape)
    best_score, best = ranked[0]
    if best.signals["chain"] < LEAST_COVERAGE or best_score < LEAST_SCORE:
        return abstain(shape, best.piece)
    return Reading(
        short=best.text[:SHORT_CHARACTERS],
        text=best.text,
        citations=cite(best.piece, inputs, shape),
        supported=True,
        confidence=confidence(best_score),
    )


def score(candidate: Candidate, told: set[frozenset[str]]) -> float:
    """Sum of the weighted signals."""
    signals = candidate.signals
    total = sum(weight * signals.get(name, 0.0) for name, weight in WEIGHTS.items())
    total += signals["chain"] * sum(weight * signals.get(name, 0.0) for name, weight in COVERED_WEIGHTS.items())
    return total + WEIGHTS["told"] * float(content_terms(candidate.text) in told)


def confidence(best_score: float) -> float:
    """How often answers with such a score were right, as a logistic curve of the score."""
    return round(1.0 / (1.0 + math.exp(-CURVE_SLOPE * (best_score - EVEN_SCORE))), 4)
