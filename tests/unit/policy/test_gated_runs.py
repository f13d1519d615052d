"""A run as it begins on a server: the policy in force now decides, and what is spent is counted as it goes."""

import asyncio
from functools import cache
from typing import Annotated, Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START
from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from backtrail.graphs.question_graph import QuestionGraph
from backtrail.nodes.take_decision import settings_of
from backtrail.state.settings import Settings
from backtrail.state.usage import Charge, charge, merge_charges
from backtrail.tools.access.policy.errors import PolicyRefused
from backtrail.tools.access.policy.file import policy_file
from backtrail.tools.access.records.spending import spent_today
from backtrail.tools.access.run_slots import Turns


class State(TypedDict, total=False):
    question: str
    usage: Annotated[dict[str, Charge], merge_charges]


SEEN: list[Settings] = []


async def spend(state: State, runtime: Runtime[Any]) -> dict[str, Any]:
    SEEN.append(settings_of(runtime))
    if state["question"] == "fail":
        raise ValueError("no")
    return {"usage": {f"spend/{len(state.get('usage') or {})}": charge(calls=1, input_tokens=10, cost_usd=0.5)}}


def machine(saver: InMemorySaver | None = None) -> Any:
    built = QuestionGraph(State, context_schema=Settings)
    built.add_node("spend", spend)
    built.add_node("spend_more", spend)
    built.add_edge(START, "spend")
    built.add_edge("spend", "spend_more")
    built.add_edge("spend_more", END)
    return built.compile(name="fif", checkpointer=saver)


def begun(run: str, owner: str = "anna", thread: str = "t") -> Any:
    held = {"run_id": run, "thread_id": thread, "langgraph_auth_user_id": owner}
    return {"configurable": held, "metadata": {"run_id": run}}


@pytest.fixture(autouse=True)
def server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKTRAIL_SERVING", "yes")
    policy_file().parent.mkdir(parents=True, exist_ok=True)
    policy_file().write_text(
        "[everyone]\nmethods=['fif']\ncorpora=['*']\nquota={usd=1.25}\n[everyone.most]\nsteps=3\nusd=2.0\n"
    )
    SEEN.clear()


@pytest.mark.parametrize("sent", [None, {"budget": {"steps": 100}}, Settings(k=3)])
async def test_a_run_goes_to_work_under_the_ceilings(sent: Any) -> None:
    await machine().ainvoke({"question": "q"}, begun("r"), context=sent)
    assert {(seen.budget.steps, seen.budget.usd) for seen in SEEN} == {(3, 1.25)}


async def test_what_a_run_spends_counts_once_and_lowers_what_the_next_may_spend() -> None:
    for _ in range(2):  # taken up again after its process died, a run is the same run
        await machine().ainvoke({"question": "q"}, begun("r"))
    spent = spent_today("anna")
    assert (spent.runs, spent.calls, spent.tokens, spent.usd, spent.concurrent_runs) == (1, 2, 20, 1.0, 0)
    await machine().ainvoke({"question": "q"}, begun("next"))
    assert SEEN[-1].budget.usd == 0.25
    with pytest.raises(ValueError, match="no"):
        await machine().ainvoke({"question": "fail"}, begun("failed"))
    assert spent_today("anna").concurrent_runs == 0, "a failed run has ended too"


async def test_a_run_that_is_sent_again_goes_on_and_one_that_was_through_does_nothing() -> None:
    """As aegra sends it when its process died: with its input."""
    saver = InMemorySaver()
    halting = machine(saver)
    halting.interrupt_before_nodes = ["spend_more"]
    await halting.ainvoke({"question": "q"}, begun("r"))
    assert len(SEEN) == 1
    for _ in range(2):
        values = await machine(saver).ainvoke({"question": "q"}, begun("r"))
        assert len(SEEN) == 2
        assert set(values["usage"]) == {"spend/0", "spend/1"}
    await machine(saver).ainvoke({"question": "q"}, begun("next"))
    assert len(SEEN) == 4


async def test_another_keys_run_does_not_wait_for_all_of_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    from backtrail.graphs.serving import policy_gate

    monkeypatch.setattr(policy_gate, "turns", cache(lambda: Turns(1)))
    policy_file().write_text("[everyone]\nmethods=['fif']\ncorpora=['*']\n")
    ended: list[str] = []

    async def ask(owner: str, number: int) -> None:
        await machine().ainvoke({"question": "q"}, begun(f"{owner}{number}", owner, f"{owner}{number}"))
        ended.append(owner)

    annas = [asyncio.create_task(ask("anna", number)) for number in range(6)]
    await asyncio.sleep(0)
    await ask("bert", 0)
    assert ended.count("anna") <= 2
    await asyncio.gather(*annas)
    assert len(ended) == 7


async def test_what_the_policy_no_longer_allows_does_not_begin() -> None:
    policy_file().write_text("[everyone]\nmethods=['bm25']\n")
    with pytest.raises(PolicyRefused, match="The method 'fif' is not allowed for you"):
        await machine().ainvoke({"question": "q"}, begun("r"))
    with pytest.raises(PolicyRefused):
        await anext(aiter(machine().astream({"question": "q"}, begun("r"))))
    with pytest.raises(PolicyRefused):
        machine().invoke({"question": "q"}, begun("r"))
    assert not SEEN
