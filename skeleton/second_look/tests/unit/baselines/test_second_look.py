"""Second Look searches with each query in turn, and stops."""

from __future__ import annotations

import pytest

from backtrail.rules.second_look.reword import reword
from backtrail.state.second_look.decisions import RewordInputs
from backtrail.state.second_look.settings import SecondLookSettings
from backtrail.state.settings import Budget

QUESTION = "When was the spacecraft that flew past Triton launched?"
QUERIES = ["spacecraft Triton", "Voyager launch"]


@pytest.fixture
def second_look(machine, read_first):
    script = {"second_look_reword": lambda inputs: {"query": QUERIES[len(inputs.queries)]}, "answer": read_first}
    return lambda **settings: machine("second_look", script, **settings)


async def test_it_searches_with_each_query_until_the_limit(second_look):
    run = second_look(second_look=SecondLookSettings(looks=2))
    found = await run.ask(QUESTION)
    assert run.asked == ["second_look_reword", "second_look_reword", "answer"]
    assert [look["query"] for look in found["looks"]] == QUERIES
    assert found["stop_reason"] == "limit:looks"
    assert {scored["id"] for scored in found["ranking"]} == set(found["looks"][-1]["found"])


async def test_a_spent_budget_ends_in_an_answer(second_look):
    found = await second_look(budget=Budget(steps=1)).ask(QUESTION)
    assert (len(found["looks"]), found["stop_reason"]) == (1, "budget:steps")
    assert found["answer"]["citations"]


@pytest.mark.parametrize(("queries", "query"), [([], QUESTION), ([QUESTION], "flew launch past spacecraft triton")])
def test_without_a_model_content_words_follow_the_question(queries, query):
    assert reword(RewordInputs(question=QUESTION, queries=queries)).query == query
