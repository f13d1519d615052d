"""The reader's rule: of a multiple-choice question the option that the evidence supports, else the extractive reader.

An option is read as HM-RAG's agents read one (``backtrail.rules.reader.read``): where the evidence does not plainly
speak for one of them, it abstains.
"""

from __future__ import annotations

from backtrail.language.options import offered
from backtrail.rules.reader.answer import answer
from backtrail.rules.reader.read import read
from backtrail.state.answer_decisions import AnswerInputs, Reading
from backtrail.state.choice_decisions import OptionView, ReadInputs


def answer_or_option(inputs: AnswerInputs) -> Reading:
    """The answer that the evidence supports best, or one sentence on what was not found."""
    asked = offered(inputs.question)
    if not asked.options:
        return answer(inputs)
    options = [OptionView(label=label, text=text) for label, text in asked.options]
    chosen = read(ReadInputs(question=asked.stem, known=inputs.known, evidence=inputs.evidence, options=options))
    return Reading.model_validate(chosen.model_dump(include=set(Reading.model_fields)))
