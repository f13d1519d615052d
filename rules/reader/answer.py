"""The extractive reader: the best span or cell of the evidence with its citation, or an abstention.

Candidates are spans of sentences and cells of rows, ranked by learnt weights of their signals
(``backtrail.rules.reader.ranking``). Pieces that say no word of the asking clause are not read, but for sentences that
open the page of what is meant; tables of labelled entries are read first, by their labels, and a question for a
definition by the sentence that gives it. How sure a reading is, its calibration says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from backtrail.language.active import reads_english
from backtrail.language.pointing import pointing_phrases, points
from backtrail.language.questions import QuestionShape, analyse
from backtrail.language.terms import content_terms
from backtrail.rules.reader.about import around
from backtrail.rules.reader.any_language import quote
from backtrail.rules.reader.asked.fuller import fuller
from backtrail.rules.reader.asked.whole_measure import whole_measure
from backtrail.rules.reader.calibration import packaged
from backtrail.rules.reader.candidates import Candidate, candidates, tentative
from backtrail.rules.reader.choices import answer_choice, answer_yes_no
from backtrail.rules.reader.clause_readings import clause_by_clause
from backtrail.rules.reader.definitions import defined_thing, definition
from backtrail.rules.reader.doubts import says_enough
from backtrail.rules.reader.labels import Labelled, labelled
from backtrail.rules.reader.lookup.look_up import Found, look_up
from backtrail.rules.reader.lookup.units import in_full
from backtrail.rules.reader.measures import is_bare, unit_of_column
from backtrail.rules.reader.parts import all_named, clauses_asked, parts_of
from backtrail.rules.reader.ranking import Ranked, nearness, ranked
from backtrail.rules.reader.replies import abstain, abstain_undefined, abstain_unsaid, cite
from backtrail.rules.reader.signals import of_definition, of_label, of_looked_up, of_ranked, of_way
from backtrail.rules.reader.unsaid import unsaid
from backtrail.state.answer_decisions import ANSWER_CHARACTERS, SHORT_CHARACTERS, AnswerInputs, CitedPiece, Reading

# Below this share of the question covered by the best chain the evidence is about something else.
# Measured: at 0.45 nearly all questions asked of foreign evidence are refused, one in seven of those with gold.
LEAST_COVERAGE = 0.45
# … unless its piece means what is asked in other words. Of people's questions of real files what is read so is mostly
# right from 0.55 on, and nothing of what is asked of other evidence comes so near (ours).
LEAST_NEARNESS = 0.55
# They tell which part of a time, or which of several things, is meant as often as they order rows.
_PLACES = frozenset(("first", "last", "final", "recent", "latest", "top"))
# What is looked up with less support is said only where the ranking of candidates is no surer of something (ours).
LEAST_LOOKED_UP = 0.6
# Between the answers to the parts of a question.
PARTS_JOINT = "; "


@dataclass(frozen=True)
class Outcome:
    """A reading with its signals, which an abstention has none of, and the candidates if they were ranked."""

    reading: Reading
    signals: dict[str, float] = field(default_factory=dict[str, float])
    listed: Sequence[Ranked] | None = None


def answer(inputs: AnswerInputs) -> Reading:
    """The answer that the evidence supports best, or one sentence on what was not found.

    Its confidence is that of the packaged calibration.
    """
    return calibrated(read_out(inputs)).reading


def calibrated(outcome: Outcome) -> Outcome:
    """The outcome with the probability that it is right as its confidence, by the packaged calibration."""
    if not outcome.reading.supported or not outcome.signals:
        return outcome
    confidence = round(packaged().probability(outcome.signals), 4)
    return replace(outcome, reading=outcome.reading.model_copy(update={"confidence": confidence}))


def read_out(inputs: AnswerInputs) -> Outcome:
    """The answer with the signals of it; its confidence is what the way of reading says of itself."""
    question = _named(inputs)
    if not reads_english():
        shape = analyse(question)
        return Outcome(quote(inputs, shape) if inputs.evidence and shape.terms else abstain(shape, inputs))
    if clauses_asked(question) and (found := look_up(inputs, question)):
        return _looked_up(found)
    parts = parts_of(question)
    if len(parts) > 1 and (whole := _in_parts([_read_one(inputs, part) for part in parts])):
        return whole
    clauses = [_read_one(asked, asked.question) for asked in clause_by_clause(inputs)]
    if clauses and (whole := _in_parts(clauses)):
        return whole
    return _read_one(inputs, question)


def _in_parts(read: Sequence[Outcome]) -> Outcome | None:
    """The answers to all parts of a question, as sure as the least sure of them; None where one is not answered."""
    if not all(outcome.reading.supported and outcome.signals for outcome in read):
        return None
    least = min(read, key=_sureness)
    cited = {piece.model_dump_json(): piece for outcome in read for piece in outcome.reading.citations}
    joined = [PARTS_JOINT.join(getattr(one.reading, name) for one in read) for name in ("short", "text")]
    reading = Reading(
        short=joined[0][:SHORT_CHARACTERS],
        text=joined[1][:ANSWER_CHARACTERS],
        citations=list(cited.values()),
        supported=True,
        confidence=least.reading.confidence,
    )
    return Outcome(reading, least.signals, next((outcome.listed for outcome in read if outcome.listed), None))


def _sureness(outcome: Outcome) -> tuple[bool, float]:
    """What is never said for sure before what is, then by probability."""
    return says_enough(outcome.signals), packaged().probability(outcome.signals)


def _read_one(inputs: AnswerInputs, question: str) -> Outcome:
    """What one question is answered with, and whether its sources lack a comparing word or a number of it."""
    shape = analyse(question)
    if not inputs.evidence or not shape.terms:
        return Outcome(abstain(shape, inputs))
    outcome = _read_by_shape(inputs, question, shape)
    if not outcome.signals:
        return outcome
    looked_up = bool(outcome.signals.get("rows"))
    if looked_up:  # the rest of the question, its numbers among it, identifies the row: "the first half of 2023"
        shape = replace(shape, comparing=shape.comparing - _PLACES)
    missing = unsaid(shape, outcome.reading.short, outcome.reading.citations, inputs.evidence)
    if looked_up:
        missing.pop("unsaid_number", None)
    return replace(outcome, signals={**outcome.signals, **missing})


def _read_by_shape(inputs: AnswerInputs, question: str, shape: QuestionShape) -> Outcome:
    """The first of the ways of reading that suits the question and finds something."""
    if thing := defined_thing(shape.text):
        return _define(inputs, shape, thing)
    if shape.kind == "yes_no":
        return _by_way("yes_no", answer_yes_no(inputs, shape))
    if shape.kind == "choice":
        cell = look_up(inputs, question)  # of a row with an "or" in its name
        return _looked_up(cell) if cell else _by_way("choice", answer_choice(inputs, shape))
    if by_label := labelled(inputs, shape):
        return _by_label(by_label)
    found = look_up(inputs, question)
    if found and min(one.support for one in found) >= LEAST_LOOKED_UP:
        return _looked_up(found)
    best = read(inputs, shape)
    return _looked_up(found) if found and not _is_surer(best, found) else best


def _is_surer(best: Outcome, found: Sequence[Found]) -> bool:
    """Whether what ranks first is likelier than what was looked up."""
    return best.reading.supported and packaged().probability(best.signals) > min(one.support for one in found)


def _by_way(way: str, reading: Reading) -> Outcome:
    return Outcome(reading, of_way(way, reading.confidence) if reading.supported else {})


def _looked_up(found: Sequence[Found]) -> Outcome:
    """One cell, or one for each clause of the question, as sure as the least sure one."""
    least = min(found, key=lambda one: one.support)
    reading = Reading(
        short=PARTS_JOINT.join(one.text for one in found)[:SHORT_CHARACTERS],
        text=PARTS_JOINT.join(in_full(one) for one in found)[:ANSWER_CHARACTERS],
        citations=[CitedPiece(component=key, row=row) for key, row in dict.fromkeys((f.item.id, f.row) for f in found)],
        supported=True,
        confidence=round(least.support, 4),
    )
    return Outcome(reading, of_looked_up(least.signals))


def _by_label(found: Labelled) -> Outcome:
    return Outcome(found.reading, of_label(found.reading.confidence, found.lead, apart=found.apart))


def _named(inputs: AnswerInputs) -> str:
    """The question; where it points at its picture, the reformulation that says all the rest of it with a name."""
    if inputs.queries and points(inputs.question):
        pointed = content_terms(" ".join(pointing_phrases(inputs.question)))
        rest = content_terms(inputs.question) - pointed
        for query in inputs.queries:
            if rest <= content_terms(query) and not points(query):
                return query
    return inputs.question


def _define(inputs: AnswerInputs, shape: QuestionShape, thing: str) -> Outcome:
    """The defining sentence; a span of another one would be a bare word."""
    found = definition(inputs, thing)
    if found is None:
        return Outcome(abstain_undefined(shape, thing))
    place = next(place for place, item in enumerate(inputs.evidence) if item is found.item)
    reading = Reading(
        short=found.text[:SHORT_CHARACTERS],
        text=found.text[:ANSWER_CHARACTERS],
        citations=[CitedPiece(component=found.item.id, sentence=found.sentence)],
        supported=True,
        confidence=0.5,
    )
    return Outcome(reading, of_definition(found, place))


def read(inputs: AnswerInputs, shape: QuestionShape) -> Outcome:
    """The best candidate, if its chain covers enough of the question."""
    told = {frozenset(content_terms(text)) for text in tentative(inputs.known)}
    listed = all_named(shape.text, ranked(candidates(inputs, shape), inputs, shape, told))
    if not listed:
        return Outcome(abstain_unsaid(shape, inputs), listed=listed)
    best = listed[0]
    piece = best.candidate.piece
    if best.signals["chain"] < LEAST_COVERAGE and nearness(piece) < LEAST_NEARNESS:
        return Outcome(abstain(shape, inputs), listed=listed)
    whole = whole_measure(best.candidate)
    reading = Reading(
        short=whole[:SHORT_CHARACTERS],
        text=whole
        if whole != best.candidate.text
        else fuller(with_unit(best.candidate), best.candidate, shape)[:ANSWER_CHARACTERS],
        citations=cite(piece, inputs, shape),
        supported=True,
        confidence=round(best.share, 4),
    )
    return Outcome(reading, of_ranked(listed, shape, around(best.candidate, inputs.evidence, shape)), listed)


def with_unit(candidate: Candidate) -> str:
    """A cell that is a bare number with the unit of its column: "33.25 EUR" under "Price (EUR)"."""
    item, row = candidate.piece.evidence, candidate.piece.row
    cells = [" ".join(cell.split()) for cell in item.rows[row]] if row is not None else []
    if candidate.text not in cells or cells.index(candidate.text) >= len(item.header):
        return candidate.text
    unit = unit_of_column(item.header[cells.index(candidate.text)])
    return f"{candidate.text} {unit}" if unit and is_bare(candidate.text) else candidate.text
