"""Ceilings hold within one decision: every single call of a model is checked before it is made."""

from typing import Any

import pytest
from loopback.openai_server import Entry, OpenAIServer, accepting, error, late, reply, usage

from backtrail.cli.commands.run_graph import failed_decision_cost
from backtrail.nodes.take_decision import Taken, take
from backtrail.state.budget import Allowance, exceeded
from backtrail.state.fif.choice_decisions import SELECT_COMPONENTS, Candidate, SelectInputs, Selection
from backtrail.state.settings import Budget, Settings
from backtrail.state.usage import Charge, charge, total_usage
from backtrail.tools.deciders.errors import PriceUnknown
from backtrail.tools.deciders.open import open_decider
from backtrail.tools.deciders.protocol import BudgetExhausted, Decided, Decider
from backtrail.tools.deciders.requests.rate_limit import RateLimiter
from backtrail.tools.errors import ModelUnavailable
from backtrail.tools.home import home
from backtrail.tools.toolbox import Toolbox

MODEL = "openai:gpt-5-mini"  # $0.25 and $2 per million tokens
INPUTS = SelectInputs(
    subtask="Which river?",
    candidates=[Candidate(index=i, id=f"c{i}", title=f"T{i}", text=f"text {i}", similarity=0.5) for i in range(3)],
    keep=2,
)
GOOD = {"choices": [{"index": 1, "id": "c1", "score": 0.9}]}
GARBAGE = reply("I would rather talk about the weather.")


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-verysecretkey123456")
    monkeypatch.setattr("backtrail.tools.deciders.requests.backoff.Backoff.wait", lambda self, n, after: after or 0)


def decider_at(server: OpenAIServer, monkeypatch: pytest.MonkeyPatch) -> Decider:
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    return open_decider(MODEL, temperature=0.0)


async def ended(
    server: OpenAIServer, monkeypatch: pytest.MonkeyPatch, chats: int | None = None, **left: Any
) -> BudgetExhausted:
    """How a decision ends with so much left, after so many chats."""
    with pytest.raises(BudgetExhausted) as caught:
        await decider_at(server, monkeypatch).decide(SELECT_COMPONENTS, INPUTS, allowance=Allowance(**left))
    assert caught.value.ceiling == next(iter(left))
    if chats is not None:
        assert len(server.chats) == chats
    return caught.value


async def decided(server: OpenAIServer, monkeypatch: pytest.MonkeyPatch, **left: Any) -> Decided[Any]:
    return await decider_at(server, monkeypatch).decide(SELECT_COMPONENTS, INPUTS, allowance=Allowance(**left))


async def taken(server: OpenAIServer, monkeypatch: pytest.MonkeyPatch, budget: Budget, **spent: Charge) -> Taken[Any]:
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    settings = Settings(planner=MODEL, budget=budget)
    return await take(Toolbox(), settings, SELECT_COMPONENTS, INPUTS, node="select", step=3, spent=spent)


# --- calls ---------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("said", "left", "chats", "charged"),
    [
        (GARBAGE, {"calls": 2}, 2, {"calls": 2, "input_tokens": 200}),
        (error(503), {"calls": 3}, 3, {"calls": 3}),  # tries count
        # 10 tokens are left: no reply fits
        (reply("no", tokens=usage(100, 40)), {"output_tokens": 90}, 2, {"output_tokens": 80}),
        (reply(GOOD), {"input_tokens": 100}, 0, {"calls": 0}),  # too large a request is not sent
        (late(30, reply(GOOD)), {"seconds": 0.3}, 1, {"calls": 1}),  # it is cut
    ],
    ids=["calls", "tries", "output", "input", "seconds"],
)
async def test_a_ceiling_ends_a_decision(
    said: Entry, left: dict[str, Any], chats: int, charged: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    with OpenAIServer([said], forever=True) as server:
        stopped = await ended(server, monkeypatch, chats, **left)
    assert charged.items() <= stopped.charge.items()
    assert f"budget.{stopped.ceiling}" in str(stopped)


async def test_the_rules_take_over_and_the_run_knows_why(monkeypatch: pytest.MonkeyPatch) -> None:
    budget = Budget(calls=5)
    with OpenAIServer([GARBAGE], forever=True) as server:
        found = await taken(server, monkeypatch, budget, earlier=charge(calls=3))
    assert len(server.chats) == 2
    assert isinstance(found.output, Selection)  # by the rule
    [failure] = found.failures
    assert (failure["id"], failure["error"]) == ("select@3", "BudgetExhausted")
    ledger = {"earlier": charge(calls=3), **found.usage}
    assert total_usage(ledger)["calls"] == 5
    assert exceeded(ledger, 0, budget) == "budget:calls"


async def test_rungs_of_the_ladder_count(monkeypatch: pytest.MonkeyPatch) -> None:
    with OpenAIServer([accepting("text", content=GOOD)], forever=True) as server:
        await ended(server, monkeypatch, calls=3)
        assert [chat.form for chat in server.chats] == ["schema", "tool", "json"]
        after = await decided(server, monkeypatch, calls=1)  # what was learnt on the way is not lost
    assert after.charge["calls"] == 1


async def test_nothing_is_waited_for_that_may_not_be_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []
    monkeypatch.setattr(RateLimiter, "pause", lambda self, seconds: waited.append(seconds))
    with OpenAIServer([error(429, retry_after="30")], forever=True) as server:
        await ended(server, monkeypatch, 1, seconds=20)
    assert waited == [30]  # other decisions of the model still keep away from the server


# --- tokens and dollars --------------------------------------------------------------------------
async def test_a_reply_is_capped_at_the_output_tokens_left(monkeypatch: pytest.MonkeyPatch) -> None:
    script: list[Entry] = [reply("no", tokens=usage(100, 30)), reply(GOOD, tokens=usage(100, 20)), reply(GOOD)]
    with OpenAIServer(script) as server:
        found = await decided(server, monkeypatch, output_tokens=50)
        await decided(server, monkeypatch, calls=1, seconds=60)
    assert [chat.body.get("max_completion_tokens") for chat in server.chats] == [50, 20, None]
    assert "max_tokens" not in server.chats[2].body
    assert found.charge["output_tokens"] == 50


async def test_a_reply_that_the_cap_cut_off_is_used_as_far_as_it_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    cut = '{"choices": [{"index": 1, "id": "c1", "score": 0.9}]'
    with OpenAIServer([reply(cut, finish="length", tokens=usage(100, 40))]) as server:
        found = await decided(server, monkeypatch, output_tokens=40)
    assert [choice.id for choice in found.output.choices] == ["c1"]
    assert any("cut off" in note for note in found.notes)


async def test_a_server_that_takes_no_cap_is_asked_without(monkeypatch: pytest.MonkeyPatch) -> None:
    script: list[Entry] = [error(400, "Unsupported parameter: max_completion_tokens"), reply(GOOD)]
    with OpenAIServer(script) as server:
        await decided(server, monkeypatch, output_tokens=50)
    assert ["max_completion_tokens" in chat.body for chat in server.chats] == [True, False]


async def test_dollars_end_a_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    # each reply costs $0.0021; what is left after the second does not pay for the input of a third
    with OpenAIServer([reply("no", tokens=usage(400, 1000))], forever=True) as server:
        ended_at = await ended(server, monkeypatch, 2, usd=0.0043)
    assert ended_at.charge["cost_usd"] == pytest.approx(0.0042)
    caps = [chat.body["max_completion_tokens"] for chat in server.chats]
    assert caps[0] < 0.0043 / 2e-6  # no reply can cost more than what is left
    assert caps[1] < 0.0022 / 2e-6


async def test_a_refusal_for_dollars_stops_the_run_although_some_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    budget = Budget(usd=0.0043)
    with OpenAIServer([reply("no", tokens=usage(400, 1000))], forever=True) as server:
        found = await taken(server, monkeypatch, budget)
        assert exceeded(found.usage, 0, budget) == "budget:usd"
        again = await taken(server, monkeypatch, budget, **found.usage)
    assert len(server.chats) == 2
    assert (again.failures, total_usage(again.usage)["calls"]) == ([], 0)  # nothing is asked any more
    assert exceeded(found.usage, 0, Budget(usd=1.0)) is None  # with a raised ceiling a resumed run goes on


async def test_dollars_are_not_bounded_for_a_model_whose_price_nobody_knows() -> None:
    allowance = Allowance(usd=1.0)
    with OpenAIServer([reply(GOOD)], forever=True) as server:
        named = f"openai-compatible:own@{server.url}"
        with pytest.raises(PriceUnknown, match=r"no price is known for 'own'\. Put it into prices\.toml"):
            await open_decider(named, temperature=0.0).decide(SELECT_COMPONENTS, INPUTS, allowance=allowance)
        assert server.chats == []
        (home() / "prices.toml").write_text('["own"]\ninput = 0\noutput = 0\n')
        decided = await open_decider(named, temperature=0.0).decide(SELECT_COMPONENTS, INPUTS, allowance=allowance)
    assert (decided.charge["calls"], decided.charge["cost_usd"]) == (1, 0.0)


# --- seconds -------------------------------------------------------------------------------------
async def test_the_place_at_the_limiter_is_free_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKTRAIL_CONCURRENCY", "1")
    with OpenAIServer([late(30, reply(GOOD)), reply(GOOD)]) as server:
        await ended(server, monkeypatch, seconds=0.3)
        assert (await decided(server, monkeypatch, seconds=60)).output.choices


# --- whole runs ----------------------------------------------------------------------------------


async def test_what_an_error_has_cost_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKTRAIL_TRIES", "2")
    with OpenAIServer([GARBAGE, error(503), error(503)]) as server, pytest.raises(ModelUnavailable) as caught:
        await decider_at(server, monkeypatch).decide(SELECT_COMPONENTS, INPUTS)
    assert "took 3 calls, 100 input and 20 output tokens" in failed_decision_cost(caught.value)
    assert failed_decision_cost(ValueError("bug")) == ""
