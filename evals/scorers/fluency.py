"""QA-FL of WebQA: fluency by BARTScore (Yuan et al., 2021) with a local checkpoint.

BARTScore is the exponential of the mean log-likelihood of the words of the answer given the gold answer. It is divided
by the score of the gold answer given itself and capped at 1; the best over the gold answers counts. Environment
variable ``BACKTRAIL_BARTSCORE``: folder of a BART checkpoint (officially bart-large-cnn trained on ParaBank).
"""

from __future__ import annotations

import os
import string
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question
from backtrail.evals.scorer import Scorer
from backtrail.evals.scorers.webqa import qa_acc

if TYPE_CHECKING:
    from backtrail.tools.local.likelihood import SequenceLikelihood

CHECKPOINT = "BACKTRAIL_BARTSCORE"
_PUNCTUATION = str.maketrans("", "", string.punctuation)


def qa_fl() -> Scorer:
    """Fluency in [0, 1]; skipped where no checkpoint is named or the question has no answers."""
    return Scorer("QA-FL", _fluency)


def qa() -> Scorer:
    """Fluency times keyword accuracy of each question, as in the official evaluation."""
    accuracy = qa_acc()

    def both(question: Question, outcome: Outcome) -> float | None:
        fluent = _fluency(question, outcome)
        return None if fluent is None else fluent * (accuracy.measure(question, outcome) or 0.0)

    return Scorer("QA", both)


def _fluency(question: Question, outcome: Outcome) -> float | None:
    folder = os.environ.get(CHECKPOINT)
    if not folder or not question.answers:
        return None
    if outcome.abstained or not outcome.answer.strip():
        return 0.0
    model = _opened(folder)
    gold = [_light(answer) for answer in question.answers]
    own = model.mean_likelihoods(gold, gold)
    likelihoods = model.mean_likelihoods(gold, [_light(outcome.answer)] * len(gold))
    return min(1.0, max(one / itself for one, itself in zip(likelihoods, own, strict=True)))


@cache
def _opened(folder: str) -> SequenceLikelihood:
    from backtrail.tools.local.likelihood import SequenceLikelihood  # torch is slow to import: only when used

    return SequenceLikelihood(Path(folder))


def _light(text: str) -> str:
    return " ".join(text.translate(_PUNCTUATION).split())
