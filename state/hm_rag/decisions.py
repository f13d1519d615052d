"""The decisions of HM-RAG: what each is given and what it must return (sections 3.2 to 3.4 of the paper)."""

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
from backtrail.state.decision import Decision, Offers, Part, as_named
from backtrail.state.hop import intent

MOST_PARTS = 3
"""Sub-questions of a question (3.2)."""


# --- decomposition agent -------------------------------------------------------------------------
class JudgeInputs(Part):
    """A question, and whether a picture comes with it."""

    question: str
    has_picture: bool = False


class Necessity(Part):
    """Whether the question has several intents, so that it should be split."""

    several_intents: bool
    why: str = Field(default="", max_length=300)


JUDGE = Decision("hm_rag_judge", JudgeInputs, Necessity, "planner")


class CompleteInputs(Part):
    """A question whose picture comes with it."""

    question: str


class Completed(Part):
    """The same question with what the picture shows in the place of the words that point at it."""

    question: str = Field(min_length=1, max_length=400)


def says_something(inputs: CompleteInputs, completed: Completed) -> list[str]:
    """It is a question that can be searched."""
    return [] if completed.question.strip() else ["The question is empty; write one that can be searched."]


COMPLETE = Decision("hm_rag_complete", CompleteInputs, Completed, "planner", says_something)


class SplitQuestion(Part):
    """Two or three sub-questions that stand for themselves."""

    questions: list[str] = Field(max_length=8)


def check_parts(inputs: JudgeInputs, split: SplitQuestion) -> list[str]:
    """Two or three, distinct, each with a keyword of the question, none of them the question again."""
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
    """Whether two questions have the same words; order, case and articles apart."""
    return intent(part) == intent(question)


_WORD = re.compile(r"\w+")
# Scripts without spaces: there a "word" is a run of many, so pairs of characters are compared.
_UNSPACED = re.compile(r"[぀-ヿ㐀-鿿豈-﫿฀-๿]")
_SHORT_WORD = 3
_STEM = 6


def keeps_keyword(part: str, question: str) -> bool:
    """Whether a sub-question shares a keyword with the question.

    A keyword is a word of more than three letters, or one with a digit or capital; its first six letters count,
    so that endings may differ. In scripts without spaces a pair of characters is one.
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
    """A question with its options, whether a picture comes with it, and whether there is a knowledge graph."""

    question: str
    options: list[OptionView] = Field(default_factory=list[OptionView])
    has_picture: bool = False
    has_graph: bool = False


class PlannedPart(Part):
    """A sub-question, the 0-based indexes of earlier ones whose answers it needs, and its keywords."""

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
    """Parts as for a split. A single one is none; a reference to a part that does not come before is left out."""
    if len(planned.parts) < 2:
        return []
    return check_parts(
        JudgeInputs(question=inputs.question), SplitQuestion(questions=[part.question for part in planned.parts])
    )


PLAN = Decision("hm_rag_plan", PlanInputs, Planned, "planner", check_plan)


# --- graph agent ---------------------------------------------------------------------------------
class KeywordsInputs(Part):
    """What is to be looked up in the knowledge graph."""

    question: str
    options: list[OptionView] = Field(default_factory=list[OptionView])


class KeywordLists(Part):
    """Low-level keywords name things, high-level ones themes and kinds of relation."""

    low_level: list[str] = Field(default_factory=list[str], max_length=12)
    high_level: list[str] = Field(default_factory=list[str], max_length=12)


def check_keywords(inputs: KeywordsInputs, keywords: KeywordLists) -> list[str]:
    """At least one keyword; none empty or longer than a phrase."""
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
    """Citations as for every answer; a supported answer to a multiple-choice question chooses an offered option."""
    offered = AnswerInputs(question=inputs.question, knowledge=inputs.knowledge, evidence=inputs.evidence)
    return cites_evidence(offered, reading) + check_option(inputs.options, reading.option, reading.supported)


def check_option(options: list[OptionView], option: str | None, supported: bool) -> list[str]:
    """What is wrong with a chosen label."""
    labels = [one.label for one in options]
    if option is not None and option not in labels:
        offered = f"offered are {', '.join(labels)}" if labels else "the question offers none: give null"
        return [f"Option {as_named(option)} was not offered; {offered}."]
    if supported and labels and option is None:
        return [f"A supported answer must choose one of the options {', '.join(labels)}."]
    return []


def offered_choices(inputs: ReadInputs) -> Offers:
    """What may be cited, and the labels of the options."""
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
    """What one agent says. Citations name pieces of the evidence below, if evidence is shown."""

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
    """Nothing new: every number of the merged answer stands in one of the answers, or in the question."""
    if not merged.text.strip():
        return ["The merged answer must not be empty."]
    said = " ".join([inputs.question, *(one.text for one in inputs.options), *(one.text for one in inputs.answers)])
    known = set(_NUMBER.findall(said))
    strangers = [number for number in _NUMBER.findall(f"{merged.short} {merged.text}") if number not in known]
    return [f"The number {number} stands in none of the answers; add nothing to them." for number in strangers]


_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
MERGE = Decision("hm_rag_merge", MergeInputs, MergedAnswer, "reader", check_merged, reasoned=False)


class RefineInputs(ReadInputs):
    """Everything: the question with its options, all answers, and all evidence."""

    answers: list[AgentAnswer] = Field(default_factory=list[AgentAnswer])


REFINE = Decision("hm_rag_refine", RefineInputs, ChoiceReading, "expert", check_reading, offers=offered_choices)
