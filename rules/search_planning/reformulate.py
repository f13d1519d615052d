"""Reformulate a question by its structure: resolve references, and write one query per part."""

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
# Most names tried for open parts, best first: only very long runs have searched more.
MOST_NAMES = 50


def reformulate(inputs: ReformulateInputs) -> Reformulated:
    """Return the question with a name for its picture's subject; then its parts that can be searched now."""
    question = " ".join(inputs.question.split()) or "?"
    note = ""
    # Without a picture "that craft" refers to an earlier sentence, which stays in the query.
    if inputs.has_picture and points(question):
        name = subject_name(inputs.elements, question)
        if name:
            question, note = with_name(question, name), f"Found pictures are called {name!r}."
        elif not inputs.rounds:
            return _queries(inputs, [question], "What the question points at must be found by the picture first.")
        else:
            question = without_pointing(question) or question
            note = "Nothing found says what the question points at; its other words are searched."
    queries, why = _parts(inputs, question)
    return _queries(inputs, queries, f"{note} {why}".strip())


def _queries(inputs: ReformulateInputs, queries: list[str], why: str) -> Reformulated:
    kept = [query[:QUERY_CHARACTERS].strip() for query in dict.fromkeys(queries) if query.strip()]
    return Reformulated(queries=kept[: inputs.most_queries] or inputs.queries[: inputs.most_queries], why=why[:1000])


def _parts(inputs: ReformulateInputs, question: str) -> tuple[list[str], str]:
    """Return atomic sub-queries: first the independent ones, then those that need their results."""
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
        return fresh, "The name that was found replaces its description."
    return _rest(inputs, question)


def _bridged(inputs: ReformulateInputs, question: str, planned: list[PlannedSubquery]) -> list[str]:
    """Insert possible results of the inner phrase into the dependent sub-queries."""
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
    """After all parts were searched: combine the uncovered words with names from the results."""
    said = {term for element in inputs.elements for term in content_terms(f"{element.title} {element.text}")}
    words = unmet_words(question, said | (content_terms(question) - needed(question))).strip(" ?.!")
    if not content_terms(words):
        return inputs.queries, "There is nothing left to ask in another way."
    done = searched(inputs.rounds, ["text"])
    asked = (f"{name} {words}" for name in leads(question, inputs.elements)[:MOST_NAMES])
    fresh = list(islice((query for query in asked if intent(query) not in done), MOST_LEADS))
    if fresh:
        return fresh, "The missing fact is searched for each name in the found texts."
    if intent(words) not in done:
        return [words], "Only what nothing found so far says."
    return inputs.queries, "There is nothing left to ask in another way."
