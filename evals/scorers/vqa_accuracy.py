"""Accuracy of VQA v2.0 by agreement with ten people (Antol et al., 2015; Goyal et al., 2017).

As in the official evaluation: the mean over leaving out each person in turn, with a third for each other person who
gave the answer, at most 1. Only where people disagree, both sides are normalised first: no punctuation, number words
to ten as digits, no articles, contractions with their apostrophes. Ours: contractions are built from their parts,
without double ones (couldn't've), where the official script lists them.
"""

from __future__ import annotations

import re

from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question
from backtrail.evals.scorer import Scorer

_PUNCTUATION = ';/[]"{}()=+\\_-><@`,?!'
_COMMA_IN_NUMBER = re.compile(r"\d,\d")
_PERIOD = re.compile(r"(?!<=\d)(\.)(?!\d)")
_NUMBERS = {
    "none": "0", "zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6",
    "seven": "7", "eight": "8", "nine": "9", "ten": "10",
}  # fmt: skip
_ARTICLES = ("a", "an", "the")
_NOT = (
    "ai", "are", "ca", "could", "did", "does", "do", "had", "has", "have", "is", "might", "must", "need", "ought",
    "sha", "should", "was", "were", "wo", "would",
)  # fmt: skip
_ENDINGS = {
    "ve": ["could", "might", "must", "should", "they", "we", "what", "where", "who", "would", "you"],
    "d": ["he", "how", "it", "someone", "something", "there", "they", "where", "who", "you"],
    "ll": ["how", "it", "somebody", "someone", "something", "they", "what", "who", "why", "you"],
    "re": ["there", "they", "what", "why", "you"],
    "s": ["he", "how", "somebody", "someone", "something", "that", "there", "what", "when", "where", "who", "why"],
}
CONTRACTIONS = {
    **{f"{word}nt": f"{word}n't" for word in _NOT},
    **{f"{word}{end}": f"{word}'{end}" for end, words in _ENDINGS.items() for word in words},
    "oclock": "o'clock", "maam": "ma'am", "twas": "'twas", "yall": "y'all",
}  # fmt: skip


def vqa_accuracy() -> Scorer:
    """Agreement with the people's answers, in thirds; skipped where a question has none."""

    def measure(question: Question, outcome: Outcome) -> float | None:
        people = [str(answer) for answer in question.tags.get("people") or []]
        if not people:
            return None
        return 0.0 if outcome.abstained else agreement(outcome.said, people)

    return Scorer("VQA accuracy", measure)


def agreement(answer: str, people: list[str]) -> float:
    """Return the official accuracy of one answer."""
    own, others = _clean(answer), [_clean(one) for one in people]
    if len(set(others)) > 1:
        own, others = normalised(own), [normalised(one) for one in others]
    same = sum(one == own for one in others)
    return sum(min(1.0, (same - (one == own)) / 3) for one in others) / len(others)


def normalised(text: str) -> str:
    """Normalise punctuation, then number words, articles and contractions, in lower case."""
    out = text
    for mark in _PUNCTUATION:
        beside_space = f"{mark} " in text or f" {mark}" in text
        out = out.replace(mark, "" if beside_space or _COMMA_IN_NUMBER.search(text) else " ")
    words = (_NUMBERS.get(word, word) for word in _PERIOD.sub("", out).lower().split())
    return " ".join(CONTRACTIONS.get(word, word) for word in words if word not in _ARTICLES)


def _clean(text: str) -> str:
    return text.replace("\n", " ").replace("\t", " ").strip()
