"""The decisions of HM-RAG, with their inputs and outputs (sections 3.2 to 3.4 of the paper)."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Literal

from pydantic import Field

from backtrail.state.answer_decisions import (
    ANSWER_CHARACTERS,
    EARLIER,
    SHORT_CHARACTERS,
    AnswerInputs,
    CitedPiece,
    cites_evidence,
    offered_pieces,
)
from backtrail.state.choice_decisions import ChoiceReading, OptionView, ReadInputs
from backtrail.state.decision import Decision, Offers, Part, quote_ids
from backtrail.state.hop import intent

MOST_PARTS = 3
"""Most sub-questions of a question (3.2)."""


# --- decomposition agent -------------------------------------------------------------------------
class JudgeInputs(Part):
    """A question, and whether it comes with a picture."""

    question: str
    has_picture: bool = False


class Necessity(Part):
    """Whether the question has several intents, so that it should be split."""

    several_intents: bool
    why: str = Field(default="", max_length=300)


JUDGE = Decision("hm_rag_judge", JudgeInputs, Necessity, "planner")


class CompleteInputs(Part):
    """A question that comes with a picture."""

    question: str


class Completed(Part):
    """The same question with what the picture shows in the place of the words that point at it."""

    question: str = Field(min_length=1, max_length=400)


def says_something(inputs: CompleteInputs, completed: Completed) -> list[str]:
    """Check that the question is not empty."""
    return [] if completed.question.strip() else ["The question is empty; write one that can be searched."]


COMPLETE = Decision("hm_rag_complete", CompleteInputs, Completed, "planner", says_something)


class SplitQuestion(Part):
    """Two or three sub-questions that stand for themselves."""

    questions: list[str] = Field(max_length=8)


def check_parts(inputs: JudgeInputs, split: SplitQuestion) -> list[str]:
    """Check sub-questions: two or three, distinct, each with a keyword of the question, none equal to it."""
    problems: list[str] = []
    if not 2 <= len(split.questions) <= MOST_PARTS:
        problems.append(f"{len(split.questions)} sub-questions were given; give 2 or {MOST_PARTS}.")
    seen: set[str] = set()
    for number, part in enumerate(split.questions):
        key = intent(part)
        if not part.strip() or len(part) > 400:
            problems.append(f"Sub-question {number} must have 1 to 400 characters.")
        elif same_question(part, inputs.question):
            problems.append(f"Sub-question {number} repeats the question; ask for one part of it.")
        elif key in seen:
            problems.append(f"Sub-question {number} repeats an earlier one.")
        elif not keeps_keyword(part, inputs.question):
            problems.append(f"Sub-question {number} keeps no keyword of the question.")
        seen.add(key)
    return problems


def same_question(part: str, question: str) -> bool:
    """Return whether two questions have the same words, regardless of order, case and articles."""
    return intent(part) == intent(question)


_WORD = re.compile(r"\w+")
# Scripts without spaces: a match of \w+ is a run of many words, so pairs of characters are compared.
_UNSPACED = re.compile(r"[぀-ヿ㐀-鿿豈-﫿฀-๿]")
_SHORT_WORD = 3
_STEM = 6


def keeps_keyword(part: str, question: str) -> bool:
    """Return whether a sub-question shares a keyword with the question.

    A keyword is a word of more than three letters, or one with a digit or capital; its first six letters are compared,
    since endings differ. In scripts without spaces each pair of characters is a keyword.
    """
    return bool(_keys(part) & _keys(question)) or not _keys(question)


def _keys(text: str) -> set[str]:
    if _UNSPACED.search(text):
        return {a + b for run in _WORD.findall(text) for a, b in pairwise(run)}
    words = [word for word in _WORD.findall(text) if len(word) > _SHORT_WORD or not word.islower()]
    return {word.casefold()[:_STEM] for word in words if word.casefold() not in _QUESTION_WORDS}


_QUESTION_WORDS = frozenset(
    ("what", "which", "when", "where", "whom", "whose", "does", "have", "were", "that", "this", "with", "from", "who")
)

SPLIT = Decision("hm_rag_split", JudgeInputs, SplitQuestion, "planner", check_parts)


class PlanInputs(Part):
    """A question with its options, and whether there are a picture and a knowledge graph."""

    question: str
    options: list[OptionView] = Field(default_factory=list[OptionView])
    has_picture: bool = False
    has_graph: bool = False


class PlannedPart(Part):
    """A sub-question, the numbers from 1 of earlier ones whose answers it needs, and its keywords."""

    question: str
    depends_on: list[int] = Field(default_factory=list[int])
    low_level: list[str] = Field(default_factory=list[str], max_length=12)
    high_level: list[str] = Field(default_factory=list[str], max_length=12)


class Planned(Part):
    """The parts of a question; none if it is looked up as it is. Keywords are those of the whole question."""

    parts: list[PlannedPart] = Field(default_factory=list[PlannedPart], max_length=8)
    low_level: list[str] = Field(default_factory=list[str], max_length=12)
    high_level: list[str] = Field(default_factory=list[str], max_length=12)


def check_plan(inputs: PlanInputs, planned: Planned) -> list[str]:
    """Check parts as for a split. A single part counts as none; references to later parts are dropped."""
    if len(planned.parts) < 2:
        return []
    return check_parts(
        JudgeInputs(question=inputs.question), SplitQuestion(questions=[part.question for part in planned.parts])
    )


PLAN = Decision("hm_rag_plan", PlanInputs, Planned, "planner", check_plan)


# --- graph agent ---------------------------------------------------------------------------------
class KeywordsInputs(Part):
    """A question to look up in the knowledge graph, with its options."""

    question: str
    options: list[OptionView] = Field(default_factory=list[OptionView])


class KeywordLists(Part):
    """Low-level keywords name things, high-level ones themes and kinds of relation."""

    low_level: list[str] = Field(default_factory=list[str], max_length=12)
    high_level: list[str] = Field(default_factory=list[str], max_length=12)


def check_keywords(inputs: KeywordsInputs, keywords: KeywordLists) -> list[str]:
    """Check that there is a keyword, and that none is empty or longer than a phrase."""
    every = [*keywords.low_level, *keywords.high_level]
    problems = [
        f"Keyword {number} is empty or too long; give words or short phrases."
        for number, word in enumerate(every, start=1)
        if _unusable(word)
    ]
    return problems or ([] if every else ["No keyword was given; give at least one."])


def _unusable(keyword: str) -> bool:
    return not keyword.strip() or len(keyword) > 400


KEYWORDS = Decision("hm_rag_keywords", KeywordsInputs, KeywordLists, "planner", check_keywords, reasoned=False)


# --- every agent reads ---------------------------------------------------------------------------


def check_reading(inputs: ReadInputs, reading: ChoiceReading) -> list[str]:
    """Check citations as for every answer, and that a supported answer chooses an offered option."""
    offered = AnswerInputs(question=inputs.question, knowledge=inputs.knowledge, evidence=inputs.evidence)
    return cites_evidence(offered, reading) + check_option(inputs.options, reading.option, reading.supported)


def check_option(options: list[OptionView], option: str | None, supported: bool) -> list[str]:
    """Return what is wrong with a chosen label."""
    labels = [one.label for one in options]
    if option is not None and option not in labels:
        offered = f"offered are {', '.join(labels)}" if labels else "the question offers none: give null"
        return [f"Option {quote_ids(option)} was not offered; {offered}."]
    if supported and labels and option is None:
        return [f"A supported answer must choose one of the options {', '.join(labels)}."]
    return []


def offered_choices(inputs: ReadInputs) -> Offers:
    """Return what may be cited, and the labels of the options."""
    offered = AnswerInputs(question=inputs.question, knowledge=inputs.knowledge, evidence=inputs.evidence)
    return {**offered_pieces(offered), "option": [one.label for one in inputs.options]}


READ = Decision("hm_rag_read", ReadInputs, ChoiceReading, "reader", check_reading, offers=offered_choices)


# --- decision agent ------------------------------------------------------------------------------
class SummariseInputs(Part):
    """One agent's answer to the question."""

    question: str
    answer: str


class AnswerSummary(Part):
    """The answer in a few words, for comparison with others."""

    summary: str = Field(min_length=1, max_length=400)


SUMMARISE = Decision("hm_rag_summarise", SummariseInputs, AnswerSummary, "reader", reasoned=False)


class AgentAnswer(Part):
    """One agent's answer. Citations name pieces of the evidence, if evidence is shown."""

    source: str
    status: Literal["answered", "abstained", "failed"]
    short: str = ""
    text: str
    option: str | None = None
    confidence: float = 0.0
    citations: list[CitedPiece] = Field(default_factory=list[CitedPiece])


class MergeInputs(Part):
    """The answers that agree."""

    question: str
    options: list[OptionView] = Field(default_factory=list[OptionView])
    answers: list[AgentAnswer]


class MergedAnswer(Part):
    """One answer that says what they agree on."""

    short: str = Field(default="", max_length=SHORT_CHARACTERS, description="The answer alone: a span, number or list.")
    text: str = Field(
        max_length=ANSWER_CHARACTERS, validation_alias=EARLIER, description="The sentence with its reasons."
    )


def check_merged(inputs: MergeInputs, merged: MergedAnswer) -> list[str]:
    """Check that every number of the merged answer occurs in one of the answers or in the question."""
    if not merged.text.strip():
        return ["The merged answer must not be empty."]
    texts = " ".join([inputs.question, *(one.text for one in inputs.options), *(one.text for one in inputs.answers)])
    known = set(_NUMBER.findall(texts))
    strangers = [number for number in _NUMBER.findall(f"{merged.short} {merged.text}") if number not in known]
    return [f"The number {number} stands in none of the answers; add nothing to them." for number in strangers]


_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
MERGE = Decision("hm_rag_merge", MergeInputs, MergedAnswer, "reader", check_merged, reasoned=False)


class RefineInputs(ReadInputs):
    """The question with its options, all answers and all evidence."""

    answers: list[AgentAnswer] = Field(default_factory=list[AgentAnswer])


REFINE = Decision("hm_rag_refine", RefineInputs, ChoiceReading, "expert", check_reading, offers=offered_choices)
