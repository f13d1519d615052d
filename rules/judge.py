"""Judge answers without a model, by words alone and not by meaning.

The grade is a step function of the overlap with the best gold answer; claims are sentences; a claim holds if most of
its content words are in the reference. Reported as such, never beside a model's grades.
"""

from __future__ import annotations

import re
from collections import Counter

from backtrail.language.sentences import split_sentences
from backtrail.language.terms import content_terms
from backtrail.rules.reader.answer import answer as read_evidence
from backtrail.state.answer_decisions import AnswerInputs, EvidenceText
from backtrail.state.judge_decisions import (
    Checked,
    CheckInputs,
    Claims,
    ClaimsInputs,
    ErrorKind,
    Grade,
    JudgeInputs,
    Shortened,
    ShortenInputs,
)

MOST_CLAIMS = 40
# Claims seldom repeat all words; below this share most of a claim is missing.
SUPPORTED = 0.75
# Longer answers are sentences.
SHORT = 6
_WORD = re.compile(r"\w+")


def judge_answer(inputs: JudgeInputs) -> Grade:
    """Grade from 1 (no common word) to 5 (same words) by word F1 with the best gold answer."""
    answer = Counter(_words(inputs.answer))
    best = max(_f1(answer, gold) for gold in inputs.gold)
    written = f" {' '.join(_words(inputs.answer))} "
    contained = any(
        Counter(words) <= answer and f" {' '.join(words)} " in written for words in map(_words, inputs.gold) if words
    )
    score = 5 if best == 1.0 else 4 if contained or best >= 0.8 else 3 if best >= 0.5 else 2 if best > 0.0 else 1
    return Grade(score=score, why=f"Overlap of words with the best gold answer: {best:.2f}.")


def extract_claims(inputs: ClaimsInputs) -> Claims:
    """Return one claim per sentence; a bare phrase is a claim too."""
    claims = [sentence.strip() for sentence in split_sentences(inputs.text) if content_terms(sentence)]
    return Claims(claims=claims[:MOST_CLAIMS])


def check_claims(inputs: CheckInputs) -> Checked:
    """Accept a claim if reference and question contain most of its terms, and the reference some."""
    reference_terms, asked = content_terms(inputs.reference), content_terms(inputs.question)
    verdicts: list[bool] = []
    for claim in inputs.claims:
        terms = content_terms(claim)
        new = terms - asked or terms
        verdicts.append(bool(new) and len(new & reference_terms) / len(new) >= SUPPORTED)
    return Checked(supported=verdicts)


def classify_error(inputs: JudgeInputs) -> ErrorKind:
    """Classify an error by the word overlap of the answer and the nearest gold answer."""
    counted = Counter(_words(inputs.answer))
    gold = max(inputs.gold, key=lambda one: (_f1(counted, one), one))
    answer_words, wanted = _words(inputs.answer), _words(gold)
    if sorted(answer_words) == sorted(wanted) or "".join(answer_words) == "".join(wanted):
        return ErrorKind(kind="mostly correct", why="The same words in another form.")
    if _initials(answer_words, wanted) or _initials(wanted, answer_words):
        return ErrorKind(kind="abbreviation", why="One gives the initials of the other.")
    common = Counter(answer_words) & Counter(wanted)
    if not common:
        return ErrorKind(kind="incorrect", why="No word in common.")
    if common == Counter(wanted):
        return ErrorKind(kind="redundant", why="Every word of the gold answer, and more.")
    if common == Counter(answer_words):
        return ErrorKind(kind="incomplete", why="A part of the gold answer alone.")
    return ErrorKind(kind="overlap", why="Some words in common.")


def shorten_answer(inputs: ShortenInputs) -> Shortened:
    """Shorten an answer with the extractive reader; unchanged if it finds nothing.

    Short answers stay: cutting a span of a few words would change its meaning.
    """
    text = " ".join(inputs.answer.split())
    if len(_words(text)) <= SHORT or not text:
        return Shortened(short=text[:400] or "-")
    own = EvidenceText(id="answer", modality="text", title="", sentences=split_sentences(text), score=1.0)
    reading = read_evidence(AnswerInputs(question=inputs.question, evidence=[own]))
    return Shortened(short=(reading.text if reading.supported else text)[:400])


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def _f1(answer_words: Counter[str], gold: str) -> float:
    wanted = Counter(_words(gold))
    common = sum(min(count, answer_words[word]) for word, count in wanted.items())
    return 2 * common / (answer_words.total() + wanted.total()) if common else 0.0


def _initials(short: list[str], long: list[str]) -> bool:
    """Whether one word is the initials of the others: "usa" or "usoa" of "united states of america"."""
    if len(short) != 1 or len(long) < 2:
        return False
    letters = "".join(word[0] for word in long)
    capitals = "".join(word[0] for word in long if word not in {"of", "the", "and", "for", "in"})
    return short[0] in (letters, capitals)
