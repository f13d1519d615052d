"""Decisions of the VQA planning agent: the path of a question, and its gold query (3.2, 3.3)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from backtrail.state.decision import Decision, Part, quote_ids
from backtrail.state.own_knowledge_decisions import MayAnswer
from backtrail.state.vqa_planner.context_free_words import pointers

PathOption = Literal["A", "B", "C", "D"]
OPTIONS: tuple[PathOption, ...] = ("A", "B", "C", "D")
CLASSES: dict[PathOption, Literal["c1", "c2", "c3", "c4"]] = {"A": "c1", "B": "c3", "C": "c2", "D": "c4"}
"""Letters of the planner's prompt and classes of section 3.2, whose orders differ."""
QUERY_CHARACTERS = 400
_TOLERANCE = 0.01


class ChoosePathInputs(Part):
    """q = (i, t): the question, and whether it came with a picture."""

    question: str
    has_picture: bool


class PathChoice(Part):
    """The chosen option."""

    option: PathOption
    # Of the letters, from a classifier or the planner's next token; a chat model gives none.
    probabilities: SkipJsonSchema[dict[str, float]] = Field(default_factory=dict[str, float])
    why: str = Field(default="", max_length=1000)


def is_distribution(inputs: ChoosePathInputs, choice: PathChoice) -> list[str]:
    """Check that probabilities, if any, are of the four letters and sum to 1."""
    shares = choice.probabilities
    if not shares:
        return []
    if strangers := sorted(set(shares) - set(OPTIONS)):
        return [f"Probabilities are given for {quote_ids(*strangers)}; the options are A, B, C and D."]
    if not all(0 <= share <= 1 for share in shares.values()) or abs(sum(shares.values()) - 1) > _TOLERANCE:
        return ["The probabilities of the options must each lie in [0, 1] and sum to 1."]
    return []


CHOOSE_PATH = Decision("vqa_choose_path", ChoosePathInputs, PathChoice, "planner", is_distribution)


class ChooseOrAnswerInputs(ChoosePathInputs):
    """q = (i, t), for a planner that is also the task model."""


class PathOrAnswer(MayAnswer):
    """The chosen option; with A the answer, with C the gold query."""

    option: PathOption
    gold_query: str = Field(default="", max_length=QUERY_CHARACTERS)
    why: str = Field(default="", max_length=1000)


CHOOSE_OR_ANSWER = Decision("vqa_choose_or_answer", ChooseOrAnswerInputs, PathOrAnswer, "planner")
"""Path and answer or query in one decision (ours); a query that points at the picture is rewritten."""


class FoundPicture(Part):
    """One element of k_i: a picture like the question's, by its title and the words about it."""

    id: str
    title: str
    text: str


class GoldQueryInputs(Part):
    """(i, t), and k_i if the picture was searched with."""

    question: str
    has_picture: bool
    pictures: list[FoundPicture] = Field(default_factory=list[FoundPicture])


class GoldQuery(Part):
    """The question completed with what its picture shows (q_g)."""

    gold_query: str = Field(max_length=QUERY_CHARACTERS)


def stands_alone(inputs: GoldQueryInputs, gold: GoldQuery) -> list[str]:
    """Check that the gold query is not empty, and that no word of it points at the picture."""
    query = gold.gold_query.strip()
    if not query:
        return ["The gold query is empty; write a question that can be searched."]
    if inputs.has_picture and (pointing := pointers(query)):
        named = quote_ids(*dict.fromkeys(pointing))
        return [f"{named} in it says nothing without the picture, which the search does not see; say what is shown."]
    return []


GOLD_QUERY = Decision("vqa_gold_query", GoldQueryInputs, GoldQuery, "reader", stands_alone)
"""Taken by the task model, which sees the picture; a planner tuned to letters may not write text any more (A.4)."""
