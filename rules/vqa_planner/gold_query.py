"""Write the gold query: replace the reference by the name that the found pictures share."""

from __future__ import annotations

import re

from backtrail.language.picture_references import points, with_name, without_pointing
from backtrail.language.scripts import UNSPACED
from backtrail.rules.search_planning.retrieved_facts import subject_name
from backtrail.rules.vqa_planner.features import stem_of
from backtrail.state.planned_search import Element
from backtrail.state.vqa_planner.context_free_words import pointers
from backtrail.state.vqa_planner.decisions import QUERY_CHARACTERS, GoldQuery, GoldQueryInputs, stands_alone


def write_gold_query(inputs: GoldQueryInputs) -> GoldQuery:
    """Replace references by a name, or remove them if no picture gives one."""
    question = " ".join(stem_of(inputs.question).split()) or " ".join(inputs.question.split())
    candidates = [question]
    if points(question):
        name = subject_name(_elements(inputs), question)
        named = with_name(question, name) if name else ""
        candidates = [named, without_pointing(named or question), without_pointing(question)]
    elif inputs.has_picture and (pointing := pointers(question)):
        name = subject_name(_elements(inputs), question)
        candidates = [_named(question, pointing[0], name)] if name else []
        candidates.append(_without(question, pointing))
    for candidate in candidates:
        query = GoldQuery(gold_query=candidate[:QUERY_CHARACTERS].strip())
        if not stands_alone(inputs, query):
            return query
    # The remaining text still has a reference: search only for its content words.
    return GoldQuery(gold_query=without_pointing(question)[:QUERY_CHARACTERS].strip() or question[:QUERY_CHARACTERS])


def _named(question: str, pronoun: str, name: str) -> str:
    """Replace a pronoun by a name: "When did it open?", "How tall is its tower?"."""
    said = f"{name}'s" if pronoun.lower() in ("its", "his", "their") else name
    return re.sub(_as_word(pronoun), lambda _: said, question, count=1)


def _without(question: str, pointing: list[str]) -> str:
    return " ".join(re.sub("|".join(map(_as_word, pointing)), " ", question).split())


def _as_word(pronoun: str) -> str:
    """Return a pattern for a whole word; Chinese and Japanese have no word boundaries."""
    return re.escape(pronoun) if UNSPACED.match(pronoun) else rf"\b{re.escape(pronoun)}\b"


def _elements(inputs: GoldQueryInputs) -> list[Element]:
    return [
        Element(id=one.id, round=1, modality="image", title=one.title, text=one.text, query="")
        for one in inputs.pictures
    ]
