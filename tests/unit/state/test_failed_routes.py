"""The failed-route ledger: what counts as the same attempt."""

from hypothesis import given
from hypothesis import strategies as st

from backtrail.state.hop import failed_routes, route_key

STRATEGY = {"scope": "local", "granularity": "document", "reasoning": "none"}


def _hop(outcome: str = "failure", subquery: str = "capital of France", anchors: tuple[str, ...] = ("a", "b")) -> dict:
    route = {"subquery": subquery, "anchors": list(anchors), "strategy": STRATEGY}
    return {"step": 0, "kind": "traverse", "outcome": outcome, **route}


def test_only_failures_are_in_the_ledger() -> None:
    assert failed_routes([_hop("success"), _hop("refused")]) == set()
    assert failed_routes([_hop()]) == {route_key("capital of France", ["a", "b"], STRATEGY)}


def test_rewording_and_anchor_order_do_not_make_a_new_route() -> None:
    assert route_key("The capital of France?", ["b", "a"], STRATEGY) in failed_routes([_hop()])


def test_a_new_constraint_anchor_or_strategy_makes_a_new_route() -> None:
    ledger = failed_routes([_hop()])
    assert route_key("capital of France in 1940", ["a", "b"], STRATEGY) not in ledger
    assert route_key("capital of France", ["a"], STRATEGY) not in ledger
    assert route_key("capital of France", ["a", "b"], {**STRATEGY, "reasoning": "component"}) not in ledger


@given(st.permutations(["which", "river", "crosses", "Vienna"]))
def test_word_order_is_no_new_intent(words: list[str]) -> None:
    assert route_key(" ".join(words), [], STRATEGY) == route_key("which river crosses Vienna", [], STRATEGY)
