"""The extractive reader: a span, cell or table entry with its citation, or an abstention.

A question for a definition uses the defining sentence, one for an entry of a label-value table its label, any other
the best-ranked candidate. Yes-or-no questions and choices are not answered: common words do not make a statement true.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from backtrail.language.current_language import reads_english
from backtrail.language.picture_references import pointing_phrases, points
from backtrail.language.questions import QuestionShape, analyse
from backtrail.language.terms import content_terms
from backtrail.rules.reader import withholding_rules
from backtrail.rules.reader.candidates import candidates
from backtrail.rules.reader.definitions import defined_thing, definition
from backtrail.rules.reader.label_lookup import Labelled, labelled
from backtrail.rules.reader.quote_any_language import quote
from backtrail.rules.reader.ranking import Ranked, ranked
from backtrail.rules.reader.replies import abstain, abstain_undefined, cite
from backtrail.state.answer_decisions import ANSWER_CHARACTERS, SHORT_CHARACTERS, AnswerInputs, CitedPiece, Reading
from backtrail.state.offline.extract import Level

# If the best candidate's chain covers less of the question, the evidence is about something else.
LEAST_COVERAGE = 0.45
# Least confidence of high and of medium readings.
HIGH, MEDIUM = 0.4, 0.2


@dataclass(frozen=True)
class Outcome:
    """A reading with its signals (none for an abstention), and the candidates if they were ranked."""

    reading: Reading
    signals: dict[str, float] = field(default_factory=dict[str, float])
    listed: Sequence[Ranked] = ()

    @property
    def level(self) -> Level:
        """High needs that nothing speaks against the reading."""
        return level(self.reading.confidence, self.signals)


def level(confidence: float, signals: dict[str, float]) -> Level:
    """The level of a confidence, with the signals that it rests on."""
    if confidence >= HIGH and withholding_rules.says_enough(signals):
        return "high"
    return "medium" if confidence >= MEDIUM else "low"


def answer(inputs: AnswerInputs) -> Reading:
    """Return the best supported answer, or one sentence on what was not found."""
    return read_out(inputs).reading


def read_out(inputs: AnswerInputs) -> Outcome:
    """Return the answer with its signals and doubts."""
    question = _named(inputs)
    shape = analyse(question)
    if not inputs.evidence or not shape.terms:
        return Outcome(abstain(shape, inputs))
    if not reads_english():
        return Outcome(quote(inputs, shape))
    outcome = _read_by_shape(inputs, shape)
    if not outcome.reading.supported:
        return outcome
    reading = outcome.reading
    found = [
        *withholding_rules.of_question(shape, reading.short),
        *withholding_rules.of_sources(shape, reading.citations, inputs.evidence),
    ]
    return Outcome(reading, {**outcome.signals, **dict.fromkeys(found, 1.0)}, outcome.listed)


def _named(inputs: AnswerInputs) -> str:
    """Return the question; if it refers to its picture, the reformulation that names the subject."""
    if inputs.queries and points(inputs.question):
        pointed = content_terms(" ".join(pointing_phrases(inputs.question)))
        rest = content_terms(inputs.question) - pointed
        for query in inputs.queries:
            if rest <= content_terms(query) and not points(query):
                return query
    return inputs.question


def _read_by_shape(inputs: AnswerInputs, shape: QuestionShape) -> Outcome:
    """Try the extraction methods that suit the question, and return the first result."""
    if thing := defined_thing(shape.text):
        return _define(inputs, shape, thing)
    if shape.kind in ("yes_no", "choice"):
        return Outcome(abstain(shape, inputs))
    if by_label := labelled(inputs, shape):
        return _by_label(by_label)
    return _best(inputs, shape)


def _define(inputs: AnswerInputs, shape: QuestionShape, thing: str) -> Outcome:
    """Answer by the defining sentence; a span of another one would be a bare word."""
    found = definition(inputs, thing)
    if found is None:
        return Outcome(abstain_undefined(thing))
    cited = [CitedPiece(component=found.item.id, sentence=found.sentence)]
    confidence = 0.5 + 0.2 * found.titled
    return Outcome(_reading(found.text, cited, confidence), {"definition": 1.0})


def _by_label(found: Labelled) -> Outcome:
    signals = {"label": 1.0, "lead": found.margin, "support": found.support}
    against = {"rival": float(found.margin < withholding_rules.LEAST_LEAD), "clause": float(found.off_topic)}
    return Outcome(_reading(found.text, found.citations, 0.5 + found.support / 2), {**signals, **against})


def _best(inputs: AnswerInputs, shape: QuestionShape) -> Outcome:
    """Return the best candidate if its chain covers enough of the question."""
    listed = ranked(candidates(inputs, shape))
    if not listed:
        return Outcome(abstain(shape, inputs))
    best = listed[0]
    held = best.candidate.signals
    if held["chain"] < LEAST_COVERAGE:
        return Outcome(abstain(shape, inputs), listed=listed)
    own = content_terms(best.candidate.text)
    other = next((one for one in listed if not content_terms(one.candidate.text) & own), None)
    rival = math.exp(other.score - best.score) if other else 0.0
    confidence = best.share * held["chain"]
    against = withholding_rules.of_candidate(best.candidate, rival, confidence, inputs.evidence, shape)
    signals = {**held, "share": best.share, "ahead": 1.0 - rival}
    return Outcome(
        _reading(best.candidate.text, cite(best.candidate.piece, inputs, shape), confidence),
        {name: round(value, 4) for name, value in signals.items()} | dict.fromkeys(against, 1.0),
        listed,
    )


def _reading(text: str, cited: list[CitedPiece], confidence: float) -> Reading:
    return Reading(
        short=text[:SHORT_CHARACTERS], text=text[:ANSWER_CHARACTERS], citations=cited, supported=True,
        confidence=round(confidence, 4),
    )  # fmt: skip
