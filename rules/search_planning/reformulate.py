"""Reformulate by the structure of the question: names where it points, one query for each thing it asks."""

from __future__ import annotations

from itertools import islice

from backtrail.language.clauses import split_question
from backtrail.language.picture_references import points, with_name, without_pointing
from backtrail.language.terms import content_terms
from backtrail.language.unknown_names import unmet_words
from backtrail.rules.decompose import decompose
from backtrail.rules.search_planning.retrieved_facts import found_for, leads, needed, searched, subject_name
from backtrail.state.decompose_decisions import DecomposeInputs, PlannedSubquery
from backtrail.state.hop import intent
from backtrail.state.planned_search import QUERY_CHARACTERS, Reformulated, ReformulateInputs

MOST_LEADS = 2
# Names that are tried for them, the best first: more were searched already only after so many rounds.
MOST_NAMES = 50


def reformulate(inputs: ReformulateInputs) -> Reformulated:
    """The question with a name for what its picture shows; then its parts, those that can be searched now."""
    question = " ".join(inputs.question.split()) or "?"
    told = ""
    # Without a picture "that craft" points at an earlier sentence, which stays beside it.
    if inputs.has_picture and points(question):
        name = subject_name(inputs.elements, question)
        if name:
            question, told = with_name(question, name), f"Found pictures are called {name!r}."
        elif not inputs.rounds:
            return _queries(inputs, [question], "What the question points at must be found by the picture first.")
        else:
            question = without_pointing(question) or question
            told = "Nothing found says what the question points at; its other words are searched."
    queries, why = _parts(inputs, question)
    return _queries(inputs, queries, f"{told} {why}".strip())


def _queries(inputs: ReformulateInputs, queries: list[str], why: str) -> Reformulated:
    kept = [query[:QUERY_CHARACTERS].strip() for query in dict.fromkeys(queries) if query.strip()]
    return Reformulated(queries=kept[: inputs.most_queries] or inputs.queries[: inputs.most_queries], why=why[:1000])


def _parts(inputs: ReformulateInputs, question: str) -> tuple[list[str], str]:
    """Atomic sub-queries: first those that stand alone, then those that need what the first found."""
    done = searched(inputs.rounds, ["text"])
    planned = decompose(DecomposeInputs(question=question)).subqueries
    alone = [subquery.text for subquery in planned if not subquery.depends_on]
    if len(planned) == 1 or len(alone) > 1:
        fresh = [query for query in alone if intent(query) not in done]
        if fresh or not inputs.rounds:
            return alone, "One query for each thing that is asked." if len(
                alone
            ) > 1 else "The question asks one thing."
        return _rest(inputs, question)
    if intent(alone[0]) not in done:
        return [*alone, question], "The thing that the question describes is looked for first."
    bridged = _bridged(inputs, question, planned)
    fresh = [query for query in bridged if intent(query) not in done]
    if fresh:
        return fresh, "What was found stands in the place of its description."
    return _rest(inputs, question)


def _bridged(inputs: ReformulateInputs, question: str, planned: list[PlannedSubquery]) -> list[str]:
    """The dependent sub-queries with what their inner phrase may have led to."""
    split = split_question(question)
    bridge = split.bridge if split else ""
    queries: list[str] = []
    for subquery in planned:
        if not subquery.depends_on:
            continue
        text = subquery.text
        for name in found_for(planned[subquery.depends_on[-1]].text, inputs.elements):
            named = bridge and bridge in text
            queries.append(text.replace(bridge, name, 1) if named else f"{text.rstrip('?')} {name}?")
    return queries


def _rest(inputs: ReformulateInputs, question: str) -> tuple[list[str], str]:
    """When all parts were searched: what nothing found says, asked of names that stand beside what was found."""
    said = {term for element in inputs.elements for term in content_terms(f"{element.title} {element.text}")}
    words = unmet_words(question, said | (content_terms(question) - needed(question))).strip(" ?.!")
    if not content_terms(words):
        return inputs.queries, "There is nothing left to ask in another way."
    done = searched(inputs.rounds, ["text"])
    asked = (f"{name} {words}" for name in leads(question, inputs.elements)[:MOST_NAMES])
    fresh = list(islice((query for query in asked if intent(query) not in done), MOST_LEADS))
    if fresh:
        return fresh, "What nothing found says is asked of names that the found texts say."
    if intent(words) not in done:
        return [words], "Only what nothing found so far says."
    return inputs.queries, "There is nothing left to ask in another way."
