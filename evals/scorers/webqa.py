"""QA-Acc of WebQA: overlap with the keywords of an answer, by the category of the question.

The official rules: for colours, shapes, yes/no and numbers the F1 over words of that kind only; for all others (text,
choose, Others) the recall of the keywords. Keywords are published only for the hidden test set; elsewhere, as the
authors advise, the answer itself replaces them, with the best over the gold answers.

Ours: words are compared by their English stems, where the official script uses spaCy's lemmas.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Sequence

from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question
from backtrail.evals.scorer import Scorer
from backtrail.evals.scorers.list_answers import NUMBER_WORDS
from backtrail.language.terms import stem


def _members(words: str) -> frozenset[str]:
    return frozenset(words.split())


COLOURS = _members(
    """orangebrown spot yellow blue rainbow ivory brown gray teal bluewhite orangepurple black white gold redorange pink
    blonde tan turquoise grey beige golden orange bronze maroon purple bluere red rust violet transparent yes silver
    chrome green aqua"""
)
SHAPES = _members(
    """globular octogon ring hoop octagon concave flat wavy shamrock cross cylinder cylindrical pentagon point pyramidal
    crescent rectangular hook tube cone bell spiral ball convex square arch h cuboid step rectangle dot oval circle star
    crosse crest octagonal cube triangle semicircle domeshape obelisk corkscrew curve circular xs slope pyramid round
    bow straight triangular heart fork teardrop fold curl spherical diamond keyhole conical dome sphere bellshaped
    rounded hexagon flower globe torus"""
)
DOMAINS = {"color": COLOURS, "shape": SHAPES, "YesNo": frozenset({"yes", "no"})}

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", "".join(set(string.punctuation) - {"."}))


def qa_acc() -> Scorer:
    """Keyword accuracy in [0, 1]; an abstention scores 0, questions without answers are skipped."""

    def measure(question: Question, outcome: Outcome) -> float | None:
        keywords = question.tags.get("keywords")
        gold = [keywords] if keywords else list(question.answers)
        if not gold:
            return None
        if outcome.abstained:
            return 0.0
        category = str(question.tags.get("category", "text"))
        return max(keyword_accuracy(outcome.said, one, category) for one in gold)

    return Scorer("QA-Acc", measure)


def keyword_accuracy(answer: str, keywords: str, category: str) -> float:
    """F1 over the words of the category's kind, or recall of the keywords where it has none."""
    if category == "number":
        return _overlap(_numbers(answer), _numbers(keywords))[0]
    if category in DOMAINS:
        # Sets, as in the official script: a colour named twice counts once.
        domain = DOMAINS[category]
        return _overlap(sorted(domain & _plain(answer)), sorted(domain & _plain(keywords)))[0]
    return _overlap(_stems(answer), _stems(keywords))[1]


def normalised(text: str) -> list[str]:
    """Return lower-case words without punctuation (except decimal points) and articles, numbers as digits."""
    text = text.lower().strip()
    if len(text) > 1:
        text = re.sub(r"\.(?!\d)", "", text.translate(_PUNCTUATION))
        if len(text.split()) > 1:
            text = _ARTICLES.sub(" ", text)
    return [str(NUMBER_WORDS.get(word, word)) for word in text.split()]


def _plain(text: str) -> frozenset[str]:
    """Return the words, and each without a plural s: "circles" matches "circle"."""
    words = normalised(text)
    return frozenset(words) | frozenset(word.removesuffix("s") for word in words)


def _numbers(text: str) -> list[str]:
    return [str(int(word)) for word in normalised(text) if re.fullmatch(r"[+-]?\d+", word)]


def _stems(text: str) -> list[str]:
    return [stem(word) for word in normalised(text)]


def _overlap(said: Sequence[str], wanted: Sequence[str]) -> tuple[float, float]:
    """Return F1 and recall of two bags of words; both 0 without common words."""
    common = sum((Counter(said) & Counter(wanted)).values())
    if not common:
        return 0.0, 0.0
    precision, recall = common / len(said), common / len(wanted)
    return 2 * precision * recall / (precision + recall), recall
