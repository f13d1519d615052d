"""Scorers of reformulated queries against human ones: BLEU, ROUGE, F1 (CogPlanner 6.1.2, table 3).

Human queries are in the tag ``queries``. The last queries of a run are compared, joined in their order (ours: the
paper does not say how sets of queries are compared). Runs without reformulated queries, and questions without human
queries, are skipped. BLEU is sacrebleu's sentence BLEU with effective order, with its Chinese tokenizer where there is
Chinese; ROUGE is rouge-score's ROUGE-L F1 (the paper only says "Rouge") over the tokens of
``backtrail.evals.scorers.tokens``, as F1.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question
from backtrail.evals.scorer import Scorer
from backtrail.evals.scorers.tokens import CHINESE, f1, tokens_of
from backtrail.tools.errors import DependencyMissing

if TYPE_CHECKING:
    from sacrebleu.metrics.bleu import BLEU

QUERIES = "queries"


def query_bleu() -> Scorer:
    """BLEU-4 of the queries."""
    return Scorer("Query BLEU", _compared(bleu))


def query_rouge() -> Scorer:
    """F1 of ROUGE-L of the queries."""
    return Scorer("Query ROUGE-L", _compared(rouge_l))


def query_f1() -> Scorer:
    """Token F1 of the queries."""
    return Scorer("Query F1", _compared(f1))


def bleu(said: str, wanted: str) -> float:
    """Sentence BLEU in [0, 1].

    Raises:
        DependencyMissing: sacrebleu is absent.
    """
    metric = _bleu("zh" if CHINESE.search(said + wanted) else "13a")
    return min(1.0, max(0.0, metric.sentence_score(said, [wanted]).score / 100))


def rouge_l(said: str, wanted: str) -> float:
    """F1 of the longest common subsequence of tokens, in [0, 1].

    Raises:
        DependencyMissing: rouge-score is absent.
    """
    return min(1.0, float(_rouge().score(wanted, said)["rougeL"].fmeasure))


def _compared(compare: Callable[[str, str], float]) -> Callable[[Question, Outcome], float | None]:
    def measure(question: Question, outcome: Outcome) -> float | None:
        wanted = " ".join(question.tags.get(QUERIES) or [])
        queries = " ".join(outcome.planned.queries)
        return compare(queries, wanted) if queries and wanted else None

    return measure


@cache
def _bleu(tokenizer: str) -> BLEU:
    try:
        from sacrebleu.metrics.bleu import BLEU
    except ImportError as error:
        raise DependencyMissing("sacrebleu", "evals") from error
    return BLEU(effective_order=True, tokenize=tokenizer)


@cache
def _rouge() -> Any:
    try:
        from rouge_score.rouge_scorer import RougeScorer
    except ImportError as error:
        raise DependencyMissing("rouge-score", "evals") from error
    return RougeScorer(["rougeL"], tokenizer=_Tokens())


class _Tokens:
    """Tokenizer for rouge-score, whose own drops everything that is not ASCII."""

    def tokenize(self, text: str) -> list[str]:
        return tokens_of(text)
