"""Write the gold query: the name that the found pictures share in the place of what points at the picture."""

from __future__ import annotations

from backtrail.language.pointing import points, with_name, without_pointing
from backtrail.rules.searching.found import subject_name
from backtrail.rules.vqa_planner.features import stem_of
from backtrail.state.planned_search import Element
from backtrail.state.vqa_planner.decisions import QUERY_CHARACTERS, GoldQuery, GoldQueryInputs, stands_alone


def write_gold_query(inputs: GoldQueryInputs) -> GoldQuery:
    """The question with a name, or without the words that point where no picture gives one."""
    question = " ".join(stem_of(inputs.question).split()) or " ".join(inputs.question.split())
    candidates = [question]
    if points(question):
        name = subject_name(_elements(inputs), question)
        named = with_name(question, name) if name else ""
        candidates = [named, without_pointing(named or question), without_pointing(question)]
    for candidate in candidates:
        query = GoldQuery(gold_query=candidate[:QUERY_CHARACTERS].strip())
        if not stands_alone(inputs, query):
            return query
    # What is left points in a way these rules cannot take out: its content words still can be searched.
    return GoldQuery(gold_query=without_pointing(question)[:QUERY_CHARACTERS].strip() or question[:QUERY_CHARACTERS])


def _elements(inputs: GoldQueryInputs) -> list[Element]:
    return [
        Element(id=one.id, round=1, modality="image", title=one.title, text=one.text, query="")
        for one in inputs.pictures
    ]
