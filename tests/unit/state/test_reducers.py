"""What every run leans on: reducers, the memory a question starts from, and the ledger of failed routes."""

from hypothesis import given
from hypothesis import strategies as st
from langgraph.types import Overwrite

from backtrail.state.evidence import keep_best
from backtrail.state.failure import merge_failures
from backtrail.state.fif.memory import FifState
from backtrail.state.hop import failed_routes, merge_hops, route_key
from backtrail.state.memory import empty_memory
from backtrail.state.subquery import merge_subqueries
from backtrail.state.usage import add_charges, charge, merge_charges, total_usage

ids = st.sampled_from(["a", "b", "c", "d"])


def _evidence(component: str, score: float) -> dict:
    return {"component": component, "score": score}


evidence = st.dictionaries(ids, st.floats(0, 1)).map(lambda found: {k: _evidence(k, s) for k, s in found.items()})
hops = st.dictionaries(st.integers(0, 9), st.sampled_from("abc")).map(
    lambda reasons: [{"step": step, "reason": reason} for step, reason in reasons.items()]
)
charges = st.dictionaries(
    st.sampled_from(["evaluate@0", "evaluate@1", "plan@2"]),
    st.builds(
        lambda n, cost: charge(calls=n, cost_usd=cost, stage="model", seconds=1.0), st.integers(0, 9), st.floats(0, 1)
    ),
)


@given(evidence, evidence)
def test_evidence_keeps_the_best_and_replay_changes_nothing(held: dict, found: dict) -> None:
    merged = keep_best(held, found)
    assert keep_best(merged, found) == merged
    assert set(merged) == set(held) | set(found)
    for key, kept in merged.items():
        assert kept["score"] == max(side[key]["score"] for side in (held, found) if key in side)


@given(hops, hops)
def test_hops_stay_in_order_and_replay_changes_nothing(held: list, new: list) -> None:
    merged = merge_hops(held, new)
    assert merge_hops(merged, new) == merged
    latest = {hop["step"]: hop for hop in held} | {hop["step"]: hop for hop in new}
    assert merged == [latest[step] for step in sorted(latest)]


@given(charges, charges)
def test_a_replayed_charge_is_not_counted_twice(held: dict, new: dict) -> None:
    merged = merge_charges(held, new)
    assert merge_charges(merged, new) == merged
    assert total_usage(merged)["calls"] == sum(one["calls"] for one in merged.values())


def test_charges_add_up_by_stage() -> None:
    total = add_charges(
        [charge(stage="model", seconds=1.5), charge(stage="vectors", seconds=0.5), charge(stage="model", seconds=1)]
    )
    assert total["seconds"] == {"model": 2.5, "vectors": 0.5}


def test_an_answered_subquery_replaces_itself_and_new_ones_come_last() -> None:
    def subquery(name: str, status: str = "open") -> dict:
        return {"id": name, "text": name, "depends_on": [], "status": status, "answer": "", "planned_at": 0}

    merged = merge_subqueries([subquery("q0"), subquery("q1")], [subquery("q2"), subquery("q0", "answered")])
    assert [(one["id"], one["status"]) for one in merged] == [("q0", "answered"), ("q1", "open"), ("q2", "open")]


def test_failures_are_recorded_once() -> None:
    failure = {"id": "evaluate@1", "node": "evaluate", "step": 1, "error": "DecisionFailed", "message": "…"}
    assert merge_failures(merge_failures([], [failure]), [failure]) == [failure]


def test_each_key_starts_empty_and_the_conversation_stays() -> None:
    fresh = empty_memory(FifState)
    assert {key: fresh[key] for key in ("hop", "draft", "opening")} == {"hop": None, "draft": None, "opening": None}
    assert fresh["hops"] == Overwrite([])  # a reducer would add to the last question's
    assert not {"messages", "question", "answer"} & set(fresh)


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
