"""Decisions through OpenAI's batch endpoint, over real HTTP: together, once, and none lost by a kill."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from loopback.batch_server import BatchServer, said

from backtrail.state.answer_decisions import CONTEXTUALIZE, ContextualizeInputs
from backtrail.tools.deciders.batch.collector import Pace
from backtrail.tools.deciders.open import open_decider
from backtrail.tools.deciders.protocol import Decided, Decider
from backtrail.tools.errors import ModelRejected, ModelUnavailable, SettingsError


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-verysecretkey123456")
    monkeypatch.setenv("BACKTRAIL_BATCH", "1")
    monkeypatch.setenv("BACKTRAIL_TRIES", "2")
    monkeypatch.setattr("backtrail.tools.deciders.requests.backoff.Backoff.wait", lambda self, n, after: 0.0)
    monkeypatch.setattr(Pace, "__init__", lambda self: self.__dict__.update(quiet=0.2, first_look=0.02, last_look=0.05))


def decider_at(server: BatchServer, monkeypatch: pytest.MonkeyPatch) -> Decider:
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    return open_decider("openai:gpt-5-mini", temperature=0.0)


async def ask(decider: Decider, question: str) -> Decided[Any]:
    return await decider.decide(CONTEXTUALIZE, ContextualizeInputs(conversation=[], question=question))


def echo(body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    text = str(body["messages"][-1]["content"])
    return said({"question": next(one for one in ("Quito?", "Lima?", "Bogota?") if one in text)})


async def test_what_is_asked_together_goes_in_one_batch_for_half_the_price(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ["Quito?", "Lima?", "Bogota?", "Quito?"]
    with BatchServer(echo, looks=2) as server:
        decider = decider_at(server, monkeypatch)
        decided = await asyncio.gather(*(ask(decider, one) for one in asked))
    assert [one.output.question for one in decided] == asked
    [batch] = server.batches.values()
    assert len(batch.requests) == len(server.requests) == 3, "the same request is handed in once"
    assert batch.looks == 3
    assert {(one["method"], one["url"]) for one in batch.requests} == {("POST", "/v1/chat/completions")}
    assert batch.requests[0]["body"]["response_format"]["type"] == "json_schema"
    assert decided[0].charge["cost_usd"] == pytest.approx((100 * 0.25 + 20 * 2.0) / 2e6)


async def test_after_a_kill_the_batch_is_waited_for_and_not_handed_in_again(monkeypatch: pytest.MonkeyPatch) -> None:
    with BatchServer(echo, looks=10**9) as server:
        waiting = asyncio.ensure_future(ask(decider_at(server, monkeypatch), "Quito?"))
        while not any(batch.looks for batch in server.batches.values()):  # it waits for the batch it handed in
            await asyncio.sleep(0.02)
        waiting.cancel()
        server.looks = 0
        again = await ask(decider_at(server, monkeypatch), "Quito?")  # a decider of its own, as in another process
    assert again.output.question == "Quito?"
    assert len(server.requests) == 1


async def test_an_expired_batch_goes_again_and_a_refused_one_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    with BatchServer(echo, ends={0: "expired"}) as server:
        assert (await ask(decider_at(server, monkeypatch), "Quito?")).output.question == "Quito?"
        assert len(server.batches) == 2
    with BatchServer(echo, ends=dict.fromkeys(range(9), "expired")) as server, pytest.raises(ModelUnavailable):
        await ask(decider_at(server, monkeypatch), "Lima?")
    with BatchServer(echo, ends={0: "failed"}) as server, pytest.raises(ModelRejected, match="The file is not valid"):
        await ask(decider_at(server, monkeypatch), "Bogota?")


async def test_a_ledger_that_a_kill_cut_off_is_read_up_to_there(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    with BatchServer(echo) as server:
        await ask(decider_at(server, monkeypatch), "Quito?")
        [ledger] = (home / "batches").iterdir()
        ledger.write_bytes(ledger.read_bytes() + b'{"request": "half')
        assert (await ask(decider_at(server, monkeypatch), "Quito?")).output.question == "Quito?"
        await ask(decider_at(server, monkeypatch), "Lima?")
    assert len(server.requests) == 2
    assert all(json.loads(line) for line in ledger.read_text().splitlines())


def test_models_without_batches_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "x")
    decider = open_decider("anthropic:claude-sonnet-4-5", temperature=0.0)
    with pytest.raises(SettingsError, match="does not support batches"):
        asyncio.run(ask(decider, "Quito?"))
    monkeypatch.setenv("BACKTRAIL_BATCH", "yes")
    with pytest.raises(SettingsError, match="neither 1 nor 0"):
        open_decider("openai:gpt-5-mini", temperature=0.0)
