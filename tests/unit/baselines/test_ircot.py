"""IRCoT's machine and its rule: a thought, a retrieval with it, until a thought states the answer."""

from collections.abc import Callable
from typing import Any

import pytest
from fixtures.pieces import table_piece, text_piece
from hypothesis import given
from hypothesis import strategies as st

from backtrail.nodes.ircot.deduplicate import deduplicate_retrievals
from backtrail.nodes.ircot.look_up import fuse_retrievals
from backtrail.rules.ircot.think import think
from backtrail.state.answer_decisions import EvidenceText
from backtrail.state.component import Component
from backtrail.state.ircot.decisions import NextThought, ThinkInputs, thought_fits
from backtrail.state.ircot.memory import Thought, merge_thoughts
from backtrail.state.ircot.settings import IrcotSettings
from backtrail.state.settings import Budget, Settings
from backtrail.state.usage import charge
from backtrail.tools.deciders.protocol import BudgetExhausted

QUESTION = "When was the spacecraft that flew past Triton launched?"
CHAIN = ["Only one spacecraft flew past Triton: Voyager 2.", "So the answer is 20 August 1977."]


def next_of_chain(inputs: Any) -> dict[str, Any]:
    done = len(inputs.thoughts)
    return {"sentence": CHAIN[done], "answered": done == len(CHAIN) - 1}


@pytest.fixture
def ircot(machine: Callable[..., Any], read_first: Any) -> Callable[..., Any]:
    return lambda script=None, **settings: machine(
        "ircot", {"ircot_think": next_of_chain, "answer": read_first, **(script or {})}, **settings
    )


async def test_each_sentence_is_the_next_query_until_one_states_the_answer(ircot: Callable[..., Any]) -> None:
    run = ircot(ircot=IrcotSettings(per_retrieval=2), k=3)
    found = await run.ask(QUESTION)
    assert run.asked == ["ircot_think", "ircot_think", "answer"]
    assert [hop["subquery"] for hop in found["hops"]] == [QUESTION, CHAIN[0]]
    assert found["thoughts"] == [
        {"step": 0, "text": CHAIN[0], "answered": False},
        {"step": 1, "text": CHAIN[1], "answered": True},
    ]
    assert found["stop_reason"] == "answered"
    assert set(found["usage"]) == {"look_up@0", "think@0", "look_up@1", "think@1", "answer@0"}
    assert [len(hop["components"]) for hop in found["hops"]] == [2, 2]
    retrieved = {scored["id"] for hop in found["hops"] for scored in hop["components"]}
    assert set(found["evidence"]) == retrieved
    assert {scored["id"] for scored in found["ranking"]} <= retrieved
    assert found["evidence"]["triton#1"]["query"] in (QUESTION, CHAIN[0])


async def test_whoever_thinks_sees_all_that_was_retrieved(ircot: Callable[..., Any]) -> None:
    run = ircot(ircot=IrcotSettings(per_retrieval=2, shown=3))
    await run.ask(QUESTION)
    first, second, _ = (one.inputs for one in run.decider.history)
    assert (first.thoughts, len(first.evidence)) == ([], 2)
    assert second.thoughts == CHAIN[:1]
    assert {item.id for item in first.evidence} & {item.id for item in second.evidence}
    assert len(second.evidence) <= 3


async def test_whoever_answers_is_given_the_chain_as_ours_and_not_as_published(ircot: Callable[..., Any]) -> None:
    for variant, known in (("ours", CHAIN), ("published", [])):
        run = ircot(variant=variant)
        await run.ask(QUESTION)
        assert run.decider.history[-1].inputs.known == known


async def test_whoever_answers_reads_first_what_the_chain_was_read_off(ircot: Callable[..., Any]) -> None:
    chain = {"ircot_think": lambda inputs: {"sentence": "Venera landers measured it.", "answered": False}
             if not inputs.thoughts else {"sentence": CHAIN[1], "answered": True}}  # fmt: skip
    for variant, first in (("ours", "venus#1"), ("published", "")):
        run = ircot(chain, variant=variant, k=4)
        ranking = [scored["id"] for scored in (await run.ask(QUESTION))["ranking"]]
        assert [item.id for item in run.decider.history[-1].inputs.evidence] == ranking
        assert (ranking[0] == "venus#1") == bool(first)
        assert "voyager#0" in ranking  # what the last sentence was read off


def test_copies_that_two_sentences_find_are_one_text_that_was_found_twice() -> None:
    said = {"a": "Venera landed.", "b": "venera landed", "x": "Mars.", "y": "Venus."}

    class Copies:
        def components(self, ids: list[str]) -> dict[str, Component]:
            return {key: Component(id=key, document=key, position=0, modality="text", text=said[key]) for key in ids}

    def hop(*ids: str) -> Any:
        return {"components": [{"id": key, "score": 0.5} for key in ids]}

    corpus: Any = Copies()
    hops = [hop("x", "a"), hop("y", "b")]
    once, places = deduplicate_retrievals(corpus, hops, Settings())
    assert places == {"a": ["b"]}
    assert [scored["id"] for scored in fuse_retrievals(once, 4)] == ["a", "x", "y"]
    assert deduplicate_retrievals(corpus, hops, Settings(variant="published")) == (hops, {})


async def test_the_limit_of_thoughts_ends_the_chain(ircot: Callable[..., Any]) -> None:
    on_and_on = lambda inputs: {"sentence": f"Thought {len(inputs.thoughts)}.", "answered": False}  # noqa: E731
    run = ircot({"ircot_think": on_and_on}, ircot=IrcotSettings(thoughts=3))
    found = await run.ask(QUESTION)
    assert found["stop_reason"] == "limit:thoughts"
    assert run.asked.count("ircot_think") == 3
    assert [hop["subquery"] for hop in found["hops"]] == [QUESTION, "Thought 0.", "Thought 1.", "Thought 2."]


MUTE = {"sentence": " ", "answered": False}
UNMARKED = {"sentence": "It is 1977.", "answered": True}  # it does not say that it answers


@pytest.mark.parametrize(
    ("thought", "reason", "failed"),
    [(MUTE, "nothing more to think", []), (UNMARKED, "failed:think", ["think@0"])],
)
async def test_a_thought_without_use_ends_the_chain(
    ircot: Callable[..., Any], thought: dict[str, Any], reason: str, failed: list[str]
) -> None:
    found = await ircot({"ircot_think": lambda inputs: thought}).ask(QUESTION)
    assert (found["stop_reason"], found["thoughts"], len(found["hops"])) == (reason, [], 1)
    assert [failure["id"] for failure in found["failures"]] == failed
    assert not found["answer"]["abstained"]


@pytest.mark.parametrize(
    ("budget", "reason", "thoughts"),
    [(Budget(calls=1), "budget:calls", 1), (Budget(steps=1), "budget:steps", 0), (Budget(steps=3), "answered", 2)],
)
async def test_a_ceiling_ends_the_chain(ircot: Callable[..., Any], budget: Budget, reason: str, thoughts: int) -> None:
    found = await ircot(budget=budget).ask(QUESTION)
    assert (found["stop_reason"], len(found["thoughts"])) == (reason, thoughts)
    assert found["answer"]["text"]


async def test_a_budget_that_ends_within_a_thought_ends_the_chain(ircot: Callable[..., Any]) -> None:
    def exhausted(inputs: Any) -> Any:
        return BudgetExhausted("scripted", "usd", "$0.01 are left", charge(calls=2, cost_usd=0.4))

    found = await ircot({"ircot_think": exhausted}, budget=Budget(usd=0.5)).ask(QUESTION)
    assert found["stop_reason"] == "budget:usd"
    assert [failure["error"] for failure in found["failures"]] == ["BudgetExhausted"]
    assert found["usage"]["think@0"]["calls"] == 2
    assert found["answer"]["text"]


thoughts = st.lists(
    st.builds(lambda step, text: Thought(step=step, text=text, answered=False), st.integers(0, 5), st.text(max_size=3))
)


@given(thoughts, thoughts)
def test_a_replayed_step_changes_nothing(held: list[Thought], new: list[Thought]) -> None:
    once = merge_thoughts(merge_thoughts([], held), new)
    assert merge_thoughts(once, new) == once
    assert [thought["step"] for thought in once] == sorted({thought["step"] for thought in [*held, *new]})


@pytest.mark.parametrize(
    ("sentence", "answered", "said", "problem"),
    [
        ("So the answer is 1977.", True, [], None),
        ("", False, ["It was Voyager 2."], None),
        ("It is 1977.", True, [], "So the answer is"),
        ("So the answer is 1977.", False, [], "must be true"),
        ("it was  voyager 2.", False, ["It was Voyager 2."], "stands in the chain already"),
    ],
)
def test_thoughts_that_fit(sentence: str, answered: bool, said: list[str], problem: str | None) -> None:
    inputs = ThinkInputs(question=QUESTION, thoughts=said, evidence=[])
    problems = thought_fits(inputs, NextThought(sentence=sentence, answered=answered))
    assert not problems if problem is None else problem in problems[0]


MISSIONS = table_piece(
    "t", "Missions to Neptune", "Craft | Flew past | Mass", "Pioneer 9 | nothing | 65 kg", "Voyager 2 | Triton | 722 kg"
)


def chain(question: str, *evidence: EvidenceText) -> list[str]:
    """What the rule thinks one after another until it states an answer or nothing more."""
    said: list[str] = []
    while True:
        inputs = ThinkInputs(question=question, thoughts=said, evidence=[*evidence])
        thought = think(inputs)
        assert thought_fits(inputs, thought) == []
        said = [*said, thought.sentence]
        if thought.answered or not thought.sentence:
            return said


def test_the_rule_states_what_is_new_and_what_it_leaves_open() -> None:
    first = chain(QUESTION, MISSIONS)[0]
    assert "Voyager 2, Triton" in first  # the row that fits, without the mass
    assert "722" not in first
    assert first.endswith("this leaves open: spacecraft launched?")


@given(st.lists(st.text(max_size=700), max_size=3), st.text(max_size=900))
def test_the_rule_is_valid_for_any_text(sentences: list[str], question: str) -> None:
    inputs = ThinkInputs(question=question, evidence=[text_piece("a", "Title", *sentences)])
    assert thought_fits(inputs, think(inputs)) == []
