"""Think offline: the rules of CogPlanner's planning expert, limited to one search per turn."""

from __future__ import annotations

from backtrail.language.picture_references import points
from backtrail.rules.search_planning.reformulate import reformulate
from backtrail.rules.search_planning.route import route
from backtrail.state.hop import intent
from backtrail.state.omnisearch.decisions import OmniAction, ThinkInputs, Thought, TurnView
from backtrail.state.planned_search import Element, ReformulateInputs, RoundView, RouteInputs, SearchAction, SearchView
from backtrail.state.search import SearchKind

_MOST_QUERIES = 4
_SEEN_AS: dict[OmniAction, tuple[SearchAction, SearchKind]] = {
    "search by picture": ("image search", "image-by-picture"),
    "search text": ("text search", "text"),
    "search pictures": ("image search", "image-by-text"),
}


def think_search(inputs: ThinkInputs) -> Thought:
    """Return the first query that was not searched yet, with the search type for the current evidence."""
    rounds, elements = [_round(turn) for turn in inputs.turns if turn.action in _SEEN_AS], _elements(inputs)
    new = reformulate(
        ReformulateInputs(
            question=inputs.question, has_picture=inputs.has_picture,
            queries=[inputs.turns[-1].query or inputs.question] if inputs.turns else [inputs.question],
            rounds=rounds, elements=elements, most_queries=_MOST_QUERIES,
        )
    )  # fmt: skip
    if _unnamed(inputs):
        return Thought(thought="Nothing says what the picture shows, so no search can be aimed.", action="final answer")
    done = {intent(turn.query) for turn in inputs.turns if turn.action == "search text"}
    query = next((one for one in new.queries if intent(one) not in done), new.queries[0])
    routed = route(
        RouteInputs(
            question=inputs.question, has_picture=inputs.has_picture, queries=[query], rounds=rounds,
            elements=elements, rounds_left=inputs.turns_left,
        )
    )  # fmt: skip
    thought = f"{new.why} {routed.why}".strip()
    if routed.action == "no search":
        return Thought(thought=thought, action="final answer")
    if routed.action == "text search":
        return Thought(thought=thought, subquestion=query, action="search text", query=query)
    by_picture = inputs.has_picture and not any(turn.action == "search by picture" for turn in inputs.turns)
    if by_picture:
        return Thought(thought=thought, subquestion=query, action="search by picture")
    return Thought(thought=thought, subquestion=query, action="search pictures", query=query)


def _unnamed(inputs: ThinkInputs) -> bool:
    """Whether the question refers to an unidentified picture and its other words were searched once."""
    tried = [turn.action for turn in inputs.turns]
    identified = any(turn.action == "search by picture" and turn.found for turn in inputs.turns)
    return points(inputs.question) and "search by picture" in tried and not identified and "search text" in tried


def _round(turn: TurnView) -> RoundView:
    action, kind = _SEEN_AS[turn.action]
    search = SearchView(
        kind=kind, query=turn.query, outcome=turn.outcome, reason=turn.reason, found=len(turn.found)
    )  # fmt: skip
    return RoundView(index=turn.index, queries=[turn.query or turn.subquestion], action=action, searches=[search])


def _elements(inputs: ThinkInputs) -> list[Element]:
    """Return all shown elements, newest first, without duplicates."""
    found: dict[str, Element] = {}
    for turn in reversed(inputs.turns):
        for one in turn.found:
            element = Element(
                id=one.id, round=turn.index, modality=one.modality, title=one.title, text=one.text,
                query=turn.query or turn.subquestion,
            )  # fmt: skip
            found.setdefault(one.id, element)
    return list(found.values())
