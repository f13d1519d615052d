"""Scorers over NLTK's tokens: token F1 (CogPlanner 6.1.1), token accuracy (VQA planner A.5).

The tokenizer is ``nltk.tokenize.NLTKWordTokenizer``, which needs no download. Ours: tokens are compared in lower
case, and each Chinese character or kana is one token, since NLTK does not split Chinese sentences.
An abstention on an answerable question scores 0; questions without gold answers are skipped.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question
from backtrail.evals.scorer import Scorer
from backtrail.tools.errors import DependencyMissing

if TYPE_CHECKING:
    from nltk.tokenize import NLTKWordTokenizer

CHINESE = re.compile(r"[\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]")


def nltk_f1() -> Scorer:
    """Harmonic mean of precision and recall over tokens, with punctuation and articles, as in the paper."""
    return Scorer("Token F1", _best(f1))


def token_accuracy() -> Scorer:
    """Share of the gold answer's tokens that the answer has at the same position.

    The paper reports a token accuracy of answers without defining it, and names that of ms-swift for its training
    curves, which compares by position. Ours: the same, with NLTK's tokens instead of a model's.
    """
    return Scorer("Token accuracy", _best(accuracy))


def f1(answer: str, gold: str) -> float:
    """F1 of two texts as bags of tokens: 1 when both are empty, 0 when one is."""
    own, wanted = tokens_of(answer), tokens_of(gold)
    if not own or not wanted:
        return float(own == wanted)
    return 2 * sum((Counter(own) & Counter(wanted)).values()) / (len(own) + len(wanted))


def accuracy(answer: str, gold: str) -> float:
    """Share of the gold tokens found at their position; 0 where the gold answer has none."""
    own, wanted = tokens_of(answer), tokens_of(gold)
    return sum(one == other for one, other in zip(own, wanted, strict=False)) / len(wanted) if wanted else 0.0


def tokens_of(text: str) -> list[str]:
    """Return the tokens in lower case.

    Raises:
        DependencyMissing: NLTK is absent.
    """
    return _tokenizer().tokenize(CHINESE.sub(lambda found: f" {found[0]} ", text.lower()))


@cache
def _tokenizer() -> NLTKWordTokenizer:
    try:
        from nltk.tokenize import NLTKWordTokenizer
    except ImportError as error:
        raise DependencyMissing("nltk", "evals") from error
    return NLTKWordTokenizer()


def _best(compare: Callable[[str, str], float]) -> Callable[[Question, Outcome], float | None]:
    def best(question: Question, outcome: Outcome) -> float | None:
        if not question.answers:
            return None
        return 0.0 if outcome.abstained else max(compare(outcome.answer, gold) for gold in question.answers)

    return best
