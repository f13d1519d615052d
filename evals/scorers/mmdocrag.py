"""Scores of MMDocRAG (Dong et al., NeurIPS 2025): selected quotes and wording.

Officially quotes are marks in the text; here they are the citations. As in the official evaluation, texts and pictures
are pooled over all questions, all quotes together are a mean over questions. BLEU is NLTK's of one sentence, ROUGE-L
uses stems, both against the long gold answer. Ours: NLTK's word tokenizer without a sentence splitter, which would
need a download; BLEU of up to four words that share none is 0 either way.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence

from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question
from backtrail.evals.scorer import Pair, PooledScorer, Scorer
from backtrail.tools.errors import DependencyMissing


def quote_scorers() -> tuple[Scorer, ...]:
    """F1 of pictures and of texts, pooled; BLEU and ROUGE-L of the long answer."""
    return (_of_kind("Picture quotes F1", "image:"), _of_kind("Text quotes F1", "text:"),
            _worded("BLEU", bleu), _worded("ROUGE-L", rouge_l))  # fmt: skip


def pooled_f1(pairs: Sequence[tuple[Sequence[str], Sequence[str]]]) -> float:
    """F1 over the pooled citations of all questions: pairs of gold and cited ids."""
    right = sum(len(set(gold) & set(cited)) for gold, cited in pairs)
    both = sum(len(set(gold)) + len(set(cited)) for gold, cited in pairs)
    return 2 * right / both if both else 0.0


def bleu(gold: str, said: str) -> float:
    """NLTK's BLEU of one sentence, without smoothing."""
    try:
        from nltk.tokenize import NLTKWordTokenizer
        from nltk.translate.bleu_score import sentence_bleu
    except ImportError:
        raise DependencyMissing("nltk", "evals") from None
    words = NLTKWordTokenizer().tokenize
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of every answer without a common 4-gram
        return float(sentence_bleu([words(gold)], words(said)))  # type: ignore[arg-type]


def rouge_l(gold: str, said: str) -> float:
    """F-measure of ROUGE-L over stems."""
    try:
        from rouge_score.rouge_scorer import RougeScorer
    except ImportError:
        raise DependencyMissing("rouge_score", "evals") from None
    return float(RougeScorer(["rougeL"], use_stemmer=True).score(gold, said)["rougeL"].fmeasure)


def _of_kind(name: str, prefix: str) -> PooledScorer:
    def ids(question: Question, outcome: Outcome) -> tuple[list[str], list[str]]:
        gold = [one for group in question.gold for one in group if one.startswith(prefix)]
        return gold, [one for one in outcome.cited if one.startswith(prefix)]

    def single(question: Question, outcome: Outcome) -> float | None:
        gold, cited = ids(question, outcome)
        return pooled_f1([(gold, cited)]) if gold or cited else None

    def pool(pairs: Sequence[Pair]) -> float:
        return pooled_f1([ids(*pair) for pair in pairs])

    return PooledScorer(name, single, pool=pool)


def _worded(name: str, compare: Callable[[str, str], float]) -> Scorer:
    def score(question: Question, outcome: Outcome) -> float | None:
        gold = str(question.tags.get("interleaved") or "")
        if not gold:
            return None
        return 0.0 if outcome.abstained or not outcome.answer.strip() else compare(gold, outcome.answer)

    return Scorer(name, score)
