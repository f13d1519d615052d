"""Judgements of answers after a run: a score, claims and their support, the class of an error.

Taken by the role ``judge``. They affect no run; evaluations store them beside each outcome.
"""

from __future__ import annotations

import re
from typing import Literal

from pydantic import Field

from backtrail.state.decision import Decision, Part, quote_ids

_WORD = re.compile(r"\w+")


class JudgeInputs(Part):
    """A question with its gold answers, and a system's answer."""

    question: str
    gold: list[str] = Field(min_length=1)
    answer: str


class Grade(Part):
    """From 1 (wrong or nothing) to 5 (fully right), with decimals, as the VQA planning agent's judge gives it."""

    score: float = Field(ge=1, le=5)
    why: str = Field(default="", max_length=400)


JUDGE_ANSWER = Decision("judge_answer", JudgeInputs, Grade, "judge")


class ClaimsInputs(Part):
    """A text that answers a question."""

    question: str
    text: str


class Claims(Part):
    """What the text claims, one short statement each that stands alone; none when it claims nothing."""

    claims: list[str] = Field(max_length=40)


EXTRACT_CLAIMS = Decision("extract_claims", ClaimsInputs, Claims, "judge", reasoned=False)


class CheckInputs(Part):
    """Claims of one text, and the reference text to check them against."""

    question: str
    claims: list[str] = Field(min_length=1)
    reference: str


class Checked(Part):
    """For each claim, in the order given, whether the reference says so."""

    supported: list[bool]


def one_verdict_each(inputs: CheckInputs, checked: Checked) -> list[str]:
    """Check that there are as many verdicts as claims."""
    if len(checked.supported) == len(inputs.claims):
        return []
    return [f"There are {len(inputs.claims)} claims; {len(checked.supported)} verdicts came back."]


CHECK_CLAIMS = Decision("check_claims", CheckInputs, Checked, "judge", one_verdict_each)

ErrorClass = Literal["incorrect", "mostly correct", "incomplete", "abbreviation", "overlap", "redundant"]


class ErrorKind(Part):
    """Why an answer does not equal the gold answer (MMAPG, error analysis)."""

    kind: ErrorClass
    why: str = Field(default="", max_length=400)


CLASSIFY_ERROR = Decision("classify_error", JudgeInputs, ErrorKind, "judge")


class ShortenInputs(Part):
    """A question, and a system's answer."""

    question: str
    answer: str


class Shortened(Part):
    """The answer without what was not asked."""

    short: str = Field(min_length=1, max_length=400)


def words_of_the_answer(inputs: ShortenInputs, shortened: Shortened) -> list[str]:
    """Check that shortening adds no word, since the judge must not answer."""
    words = {word.casefold() for word in _WORD.findall(inputs.answer)}
    added = [word for word in _WORD.findall(shortened.short) if word.casefold() not in words]
    return [f"These words are not in the answer: {quote_ids(*added[:3])}. Take its own words."] if added else []


SHORTEN_ANSWER = Decision("shorten_answer", ShortenInputs, Shortened, "judge", words_of_the_answer, reasoned=False)
