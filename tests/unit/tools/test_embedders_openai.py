"""The client of embedding servers against a real HTTP server on the loopback interface."""

import base64
import json
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from loopback.openai_server import OpenAIServer, Received, Said, error

from backtrail.tools.embedders.errors import EmbedderAnswerInvalid, EmbedderRejected, EmbedderUnavailable
from backtrail.tools.embedders.openai_compatible import OpenAICompatible
from backtrail.tools.embedders.retry_overload import LONGEST_S, OverloadRetries
from backtrail.tools.errors import ModelRejected, ModelUnavailable

STATUS = {"busy": 503, "limited": 429, "spent": 429, "forbidden": 403, "unknown": 404}


def vector(text: str, length: int) -> list[float]:
    return [float(len(text) + 1), *(float(ord(letter)) for letter in text[:1]), *[0.5] * length][:length]


def expected(*texts: str) -> np.ndarray:
    vectors = np.array([vector(text, 4) for text in texts], dtype=np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def encoded(numbers: list[float]) -> str:
    return base64.b64encode(np.array(numbers, np.float32).tobytes()).decode()


GARBAGE: dict[str, Any] = {
    "nan": encoded([math.nan, 1.0]),
    "infinite-in-numbers": [1.0, -math.inf],
    "no-base64": "AAA",
}
"""What stands in the place of a vector."""


def embeddings(rows: list[Any]) -> Said:
    data = [{"object": "embedding", "index": at, "embedding": row} for at, row in enumerate(rows)]
    usage = {"prompt_tokens": 1, "total_tokens": 1}
    body = {"object": "list", "model": "m", "data": data, "usage": usage}
    return Said(json.dumps(body).encode(), headers={"Connection": "close"})  # the client keeps none with garbage open


class Server(OpenAIServer):
    """Answers by the model's name: vectors, a status in STATUS, or something broken."""

    def answer(self, request: Received) -> Said:
        self.received.append(request)
        model, texts = request.body["model"], request.body["input"]
        in_base64 = request.body["encoding_format"] == "base64"
        if model == "waits" and len(self.received) <= 2:
            return error(429, retry_after="0.1")
        if status := STATUS.get(model):
            return error(status, f"{model}!", code="insufficient_quota" if model == "spent" else "error")
        if model == "not-json":
            return Said(b'{"hello": "world"}')
        if model in GARBAGE:
            return embeddings([GARBAGE[model]] * len(texts))
        if model == "only-numbers" and in_base64:
            return error(400, "encoding_format: only float")
        rows = [vector(text, request.body.get("dimensions") or 4) for text in texts[model == "forgetful" :]]
        return embeddings([encoded(row) for row in rows] if model == "base64" and in_base64 else rows)


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as running:
        yield running


def test_plain_strings_go_out_in_batches_and_come_back_in_order(server: Server) -> None:
    embedder = OpenAICompatible("some-model", base_url=server.url, api_key="secret", batch_texts=2)
    vectors = embedder.embed(["b", "aaa", "b", "", "cc"])
    assert [request.body["input"] for request in server.received] == [["b", "aaa"], [" ", "cc"]]
    assert {request.path for request in server.received} == {"/v1/embeddings"}
    assert {request.headers["authorization"] for request in server.received} == {"Bearer secret"}
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(vectors, expected("b", "aaa", "b", " ", "cc"), rtol=1e-5)
    assert embedder.dimension == 4
    assert len(server.received) == 2  # the dimension was learnt from the answer


@pytest.mark.parametrize(
    ("model", "asked"),
    [
        ("base64", ["base64", "base64"]),
        ("numbers", ["base64", "base64"]),
        ("only-numbers", ["base64", "float", "float"]),
    ],
)
def test_vectors_come_in_base64_where_the_server_has_it(server: Server, model: str, asked: list[str]) -> None:
    vectors = OpenAICompatible(model, base_url=server.url, batch_texts=1).embed(["a", "bb"])
    np.testing.assert_allclose(vectors, expected("a", "bb"), rtol=1e-5)
    assert [request.body["encoding_format"] for request in server.received] == asked


def test_a_server_that_is_overrun_is_asked_again_twice(server: Server) -> None:
    assert OpenAICompatible("waits", base_url=server.url).embed(["a"]).shape == (1, 4)
    assert len(server.received) == 3


def test_dimension_is_given_or_asked_for_once(server: Server) -> None:
    shortened = OpenAICompatible("some-model", base_url=server.url, dimensions=3)
    assert shortened.dimension == 3
    assert server.received == []
    embedder = OpenAICompatible("some-model", base_url=server.url)
    assert embedder.embed([]).shape == (0, 4)
    assert embedder.dimension == 4
    assert len(server.received) == 1
    assert shortened.embed(["a"]).shape == (1, 3)


@pytest.mark.parametrize(
    ("model", "kind", "message"),
    [
        ("busy", EmbedderUnavailable, "503"),
        ("spent", EmbedderRejected, "spent!"),
        ("forbidden", EmbedderRejected, "403"),
        ("forgetful", EmbedderAnswerInvalid, "1 vectors for 2 texts"),
        ("not-json", EmbedderAnswerInvalid, "not one of /v1/embeddings"),
        *((model, EmbedderAnswerInvalid, f"{model!r} at 127") for model in GARBAGE),
    ],
)
def test_errors_are_typed(server: Server, model: str, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message) as caught:
        OpenAICompatible(model, base_url=server.url, retries=0).embed(["a", "b"])
    assert isinstance(caught.value, ModelUnavailable) == (kind is EmbedderUnavailable)
    assert isinstance(caught.value, ModelRejected) == (kind is EmbedderRejected)


def test_a_server_that_is_not_there_is_unavailable() -> None:
    with pytest.raises(EmbedderUnavailable, match=r"127\.0\.0\.1:9"):
        OpenAICompatible("m", base_url="http://127.0.0.1:9/v1", retries=0, timeout_s=2).embed(["a"])


def test_openai_without_a_key_is_refused_before_anything_is_sent() -> None:
    with pytest.raises(EmbedderRejected, match="OPENAI_API_KEY"):
        OpenAICompatible("text-embedding-3-small")


def test_bulk_work_waits_for_a_limit_and_for_nothing_else() -> None:
    now = 0.0
    overrun = OverloadRetries(lambda: now)
    limit = EmbedderUnavailable("429")
    limit.overrun = True
    assert not overrun.asks_again(EmbedderUnavailable("503"))
    assert not overrun.asks_again(EmbedderRejected("no such model"))
    assert overrun.asks_again(limit)
    now = LONGEST_S - 1
    assert overrun.asks_again(limit)
    overrun.answered()
    now += 2
    assert overrun.asks_again(limit)  # it began anew
    now += LONGEST_S
    assert not overrun.asks_again(limit)
