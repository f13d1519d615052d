"""Extract an answer for the methods: its level, and the pieces that most likely contain it."""

from __future__ import annotations

from backtrail.language.options import offered
from backtrail.language.questions import analyse
from backtrail.rules.reader.answer import Outcome, read_out
from backtrail.rules.reader.candidates import candidates
from backtrail.rules.reader.quotes import quotes
from backtrail.rules.reader.ranking import ranked
from backtrail.rules.reader.read import read_choice
from backtrail.state.answer_decisions import AnswerInputs
from backtrail.state.choice_decisions import OptionView, ReadInputs
from backtrail.state.offline.extract import Extract, ExtractChoice, ExtractReading


def extract_answer(inputs: AnswerInputs) -> ExtractReading:
    """Return the best supported answer, or one sentence on what was not found.

    For multiple choice it is the option that the evidence clearly supports.
    """
    asked = offered(inputs.question)
    if not asked.options:
        return _reading(read_out(inputs), inputs)
    options = [OptionView(label=label, text=text) for label, text in asked.options]
    stem = ReadInputs(question=asked.stem, known=inputs.known, evidence=inputs.evidence, options=options)
    return _reading(read_choice(stem), inputs.model_copy(update={"question": asked.stem}))


def extract_choice(inputs: ReadInputs) -> ExtractChoice:
    """Extract a choice for HM-RAG's agents, which receive the options separately."""
    outcome = read_choice(inputs)
    plain = AnswerInputs(question=inputs.question, known=inputs.known, evidence=inputs.evidence)
    return ExtractChoice.model_validate({**outcome.reading.model_dump(), "extract": _extract(plain, outcome)})


def _reading(outcome: Outcome, inputs: AnswerInputs) -> ExtractReading:
    held = outcome.reading.model_dump(include=set(ExtractReading.model_fields))
    return ExtractReading.model_validate({**held, "extract": _extract(inputs, outcome)})


def _extract(inputs: AnswerInputs, outcome: Outcome) -> Extract:
    """Return the reading's signals, its level, and the quotes, the reading's own first."""
    shape = analyse(inputs.question)
    if not inputs.evidence or not shape.terms:
        return Extract(signals=outcome.signals)
    listed = outcome.listed or ranked(candidates(inputs, shape))
    read = outcome.reading.citations[0] if outcome.reading.citations else None
    return Extract(signals=outcome.signals, level=outcome.level, quotes=quotes(inputs, shape, listed, read))
