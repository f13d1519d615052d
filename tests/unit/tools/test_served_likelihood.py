"""Likelihoods over HTTP, from a server that knows one of three ways to tell them, or none."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.messages import HumanMessage, SystemMessage
from loopback.openai_server import OpenAIServer, Received, Said, error, reply

from backtrail.tools.errors import ModelRejected, SettingsError
from backtrail.tools.likelihood.errors import LikelihoodUnavailable
from backtrail.tools.likelihood.likelihood import Likelihood, likeliest
from backtrail.tools.likelihood.served import Prompt, ServedLikelihood

CAPTIONS = ["A red disc on grey.", "A blue disc.", "Nothing"]
ASKED: list[Any] = [SystemMessage("Speak."), HumanMessage("What is drawn?")]
FEW = 3  # tokens that the server names in a place


def tokens(text: str) -> list[str]:
    return re.findall(r"\s*\w{1,4}|\s*\W", text)


def logprob(token: str) -> float:
    """Of the server's model: it finds long tokens unlikely, and "disc" most likely of all."""
    return -0.01 if "disc" in token else -0.3 * len(token)


def expected(text: str) -> Likelihood:
    return Likelihood(text, sum(map(logprob, tokens(text))), len(tokens(text)))


def by_prompt(request: Received) -> Said:
    """vLLM: the last message goes on, and tokens of the prompt are told."""
    if request.body.get("prompt_logprobs") is None:
        return error(400, "no")
    assert request.body["continue_final_message"]
    assert not request.body["add_generation_prompt"]
    words = ["<user>", " drawn?", "<assistant>", *tokens(request.body["messages"][-1]["content"])]
    likelier = {"logprob": -0.1, "rank": 1, "decoded_token": "likelier"}
    told = [{"7": {"logprob": logprob(one), "rank": 9, "decoded_token": one}, "1": likelier} for one in words[1:]]
    body = json.loads(reply("x").body)
    return Said(json.dumps({**body, "prompt_logprobs": [None, *told]}).encode())


def by_echo(request: Received) -> Said:
    if request.path != "/v1/completions" or not request.body.get("echo"):
        return error(404, "no such path")
    words = tokens(request.body["prompt"])
    offsets = [sum(map(len, words[:at])) for at in range(len(words))]
    told = {"tokens": words, "token_logprobs": [None, *map(logprob, words[1:])], "text_offset": offsets,
            "top_logprobs": None}  # fmt: skip
    return completion(told, request.body["prompt"])


def completion(told: dict[str, Any], text: str) -> Said:
    choice = {"index": 0, "text": text, "finish_reason": "length", "logprobs": told}
    body = {"id": "c", "object": "text_completion", "created": 0, "model": "m", "choices": [choice],
            "usage": {"prompt_tokens": 5, "completion_tokens": 1, "total_tokens": 6}}  # fmt: skip
    return Said(json.dumps(body).encode())


def by_steps(known: list[str]) -> Callable[[Received], Said]:
    """llama.cpp: a reply that was begun goes on, and the likeliest tokens of the next place are told."""

    def answer(request: Received) -> Said:
        if request.body.get("prompt_logprobs") is not None:  # not known, and passed over
            return reply("x")
        if request.path == "/v1/completions":
            return error(400, "echo is not supported") if request.body.get("echo") else error(501, "no")
        last = request.body["messages"][-1]
        said = last["content"] if last["role"] == "assistant" else ""
        going = [one for one in known if one.startswith(said) and one != said]
        likely = sorted({tokens(one[len(said) :])[0] for one in going}, key=lambda one: -logprob(one))[:FEW]
        top = [{"token": one, "logprob": logprob(one), "bytes": None} for one in likely]
        place = {"token": likely[0], "logprob": logprob(likely[0]), "top_logprobs": top}
        body = json.loads(reply(likely[0]).body)
        body["choices"][0]["logprobs"] = {"content": [place]}
        return Said(json.dumps(body).encode())

    return answer


def served(server: OpenAIServer) -> ServedLikelihood:
    return ServedLikelihood(f"openai-compatible:any@{server.url}")


@pytest.mark.parametrize(
    ("says", "prompt"), [(by_prompt, ASKED), (by_echo, "It shows:"), (by_steps(CAPTIONS), ASKED)],
    ids=["prompt_logprobs", "echo", "top_logprobs"],
)  # fmt: skip
async def test_three_ways_to_the_same(says: Callable[[Received], Said], prompt: Prompt) -> None:
    with OpenAIServer([says], forever=True) as server:
        model = served(server)
        found = await model.score(prompt, CAPTIONS)
    assert [one.text for one in found] == CAPTIONS
    for one in found:
        assert (one.exact, one.tokens) == (True, expected(one.text).tokens)
        assert one.logprob == pytest.approx(expected(one.text).logprob)
    assert likeliest(found).text == "A blue disc."
    assert model.spent["calls"] >= len(CAPTIONS)
    assert model.spent["input_tokens"] > 0


async def test_a_token_below_the_likeliest_gives_a_bound() -> None:
    known = ["red", "blue", "green", "discs", "of"]
    with OpenAIServer([by_steps(known)], forever=True) as server:
        (found,) = await served(server).score(ASKED, ["yellow disc"])
    assert not found.exact
    assert found.logprob == pytest.approx(-0.9)  # the third of the likeliest
    assert likeliest([found, Likelihood("red", found.logprob, 1)]).text == "red"


async def test_a_server_that_tells_none_is_refused_by_name() -> None:
    with OpenAIServer([reply("x")], forever=True) as server:
        with pytest.raises(LikelihoodUnavailable, match=r"openai-compatible:any@.*prompt_logprobs: .*top_logprobs: "):
            await served(server).score(ASKED, CAPTIONS)
        with pytest.raises(SettingsError, match="none of them empty"):
            await served(server).score(ASKED, [" "])
    with pytest.raises(SettingsError, match="does not support likelihoods"):
        ServedLikelihood("local:/models/x")


async def test_a_key_that_is_refused_is_no_lack_of_logprobs() -> None:
    with OpenAIServer([error(401, "wrong key")], forever=True) as server:
        with pytest.raises(ModelRejected, match="401") as refused:
            await served(server).score(ASKED, CAPTIONS)
        assert not isinstance(refused.value, LikelihoodUnavailable)


LONG = 10**400
"""A whole number that is JSON, and no float."""


@pytest.mark.parametrize("prompt", [ASKED, "It shows:"], ids=["messages", "plain"])
@pytest.mark.parametrize(
    "garbage",
    [
        {"usage": {"prompt_tokens": "many", "completion_tokens": -5}},
        {"prompt_logprobs": [{"1": {"decoded_token": "Nothing", "logprob": LONG}}]},
        *({"choices": [{"logprobs": told}]} for told in (
            {"content": [{"token": "Nothing", "logprob": LONG}], "top_logprobs": [{"Nothing": LONG}]},
            {"content": [{"token": "Nothing", "logprob": -1, "top_logprobs": [7]}]},
            {"tokens": ["Nothing"], "token_logprobs": [-1.0, -1.0], "text_offset": [9]},
        )),
    ],
)  # fmt: skip
async def test_what_a_reply_says_amiss_counts_as_not_said(garbage: dict[str, Any], prompt: Prompt) -> None:
    body = {**json.loads(reply("x").body), **garbage}
    with OpenAIServer([Said(json.dumps(body).encode())], forever=True) as server:
        model = served(server)
        with pytest.raises(LikelihoodUnavailable):
            await model.score(prompt, ["Nothing"])
    assert model.spent["calls"] > 0
    assert min(model.spent["input_tokens"], model.spent["output_tokens"]) >= 0
