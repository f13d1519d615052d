"""Choose a search by what the question lacks: the picture's subject, then texts, or nothing."""

from __future__ import annotations

from backtrail.language.appearance_questions import asks_for_looks
from backtrail.language.picture_references import points
from backtrail.language.terms import content_terms
from backtrail.rules.search_planning.retrieved_facts import covered, needed, said_by, searched, share_said
from backtrail.state.hop import intent
from backtrail.state.planned_search import Routed, RouteInputs

# An element with this share of a query's terms counts as relevant, and all elements together
# must cover nearly all of the question (ours; the same bounds as of FiF's rules for a single component).
QUERY_COVERED = 0.8
QUESTION_COVERED = 0.9


def route(inputs: RouteInputs) -> Routed:
    """Choose this round's action from the evidence so far."""
    wanted = content_terms(inputs.question)
    looked = any(one.action == "image search" for one in inputs.rounds)
    if inputs.has_picture and points(inputs.question) and not looked:
        return Routed(action="image search", why="The question points at its picture, and nothing says what that is.")
    if not wanted:
        return Routed(action="no search", why="The question has no words to search for.")
    if _enough(inputs):
        return Routed(action="no search", why="What was found says nearly everything that is asked.")
    done = searched(inputs.rounds, ["text"])
    texts_left = any(intent(query) not in done for query in inputs.queries)
    if texts_left:
        return Routed(action="text search", why="Words of the question are not covered by what was found.")
    if asks_for_looks(inputs.question) and not looked:
        return Routed(action="image search", why="The question is about looks, and the texts did not settle it.")
    return Routed(action="no search", why="Every query has been searched; another search would find the same.")


def _enough(inputs: RouteInputs) -> bool:
    if not inputs.elements:
        return False
    said = [said_by(element) for element in inputs.elements]
    for query in inputs.queries:
        wanted = needed(query)
        if max(share_said(wanted, terms) for terms in said) < QUERY_COVERED:
            return False
    return covered(needed(inputs.question), inputs.elements) >= QUESTION_COVERED
