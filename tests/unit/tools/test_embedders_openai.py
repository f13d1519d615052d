"""The client of embedding servers against a real HTTP server on the loopback interface."""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import numpy as np
import pytest

from backtrail.tools.embedders.errors import EmbedderAnswerInvalid, EmbedderRejected, EmbedderUnavailable
from backtrail.tools.embedders.openai_compatible import OpenAICompatible
from backtrail.tools.errors import ModelRejected, ModelUnavailable

STATUS = {"busy": 503, "limited": 429, "spent": 429, "forbidden": 403, "unknown": 404}


def vector(text: str, length: int) -> list[float]:
    return [float(len(text) + 1), *(float(ord(letter)) for letter in text[:1]), *[0.5] * length][:length]


def encoded(numbers: list[float]) -> str:
    return base64.b64encode(np.array(numbers, np.float32).tobytes()).decode()


GARBAGE: dict[str, Any] = {
    "nan": encoded([math.nan, 1.0]),
    "nan-in-numbers": [math.nan, 1.0],
    "infinite": encoded([1.0, -math.inf]),
    "too-large": [1e39, 1.0],
    "too-long": [10**400, 1],
    "words": ["a", "b"],
    "nested": [[1.0, 2.0]],
    "object": {"a": 1},
    "number": 7,
    "nothing": None,
    "empty": [],
    "no-base64": "AAA",
}
"""What stands in the place of a vector."""


class FakeServer(BaseHTTPRequestHandler):
    """Answers by the model's name: lengths in "vectors", a status in STATUS, or something broken."""

    requests: list[dict[str, Any]]
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.requests.append({**body, "path": self.path, "key": self.headers["Authorization"]})
        model = body["model"]
        if model == "waits" and len(self.requests) <= 2:
            self._reply(429, {"error": {"message": "slower", "type": "error"}}, {"Retry-After": "0.1"})
        elif status := STATUS.get(model):
            code = "insufficient_quota" if model == "spent" else "error"
            self._reply(status, {"error": {"message": f"{model}!", "code": code, "type": code}})
        elif model == "not-json":
            self._reply(200, {"hello": "world"})
        elif model in GARBAGE:
            rows = [{"object": "embedding", "index": 0, "embedding": GARBAGE[model]}] * len(body["input"])
            told = {"object": "list", "model": model, "data": rows, "usage": {"prompt_tokens": 1}}
            self._reply(200, told, {"Connection": "close"})
        else:
            length = body.get("dimensions") or 4
            texts = body["input"][1:] if model == "forgetful" else body["input"]
            if model == "only-numbers" and body["encoding_format"] != "float":
                self._reply(400, {"error": {"message": "encoding_format: only float", "type": "error"}})
                return
            in_base64 = model == "base64" and body["encoding_format"] == "base64"
            rows = [encoded(vector(text, length)) if in_base64 else vector(text, length) for text in texts]
            data = [{"object": "embedding", "index": at, "embedding": row} for at, row in enumerate(rows)]
            usage = {"prompt_tokens": 1, "total_tokens": 1}
            self._reply(200, {"object": "list", "model": model, "data": data, "usage": usage})

    def _reply(self, status: int, content: dict[str, Any], headers: dict[str, str] | None = None) -> None:
        payload = json.dumps(content).encode()
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)

    def log_message(self, *_: object) -> None:
        """Keeps the test's output quiet."""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    handler = type("Handler", (FakeServer,), {"requests": []})
    running = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    running.daemon_threads = True
    thread = Thread(target=running.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{running.server_port}/v1", handler.requests
    running.shutdown()
    running.server_close()
    thread.join()


def test_plain_strings_go_out_in_batches_and_come_back_in_order(server: tuple[str, list[dict[str, Any]]]) -> None:
    url, requests = server
    embedder = OpenAICompatible("some-model", base_url=url, api_key="secret", batch_texts=2)
    texts = ["b", "aaa", "b", "", "cc"]
    vectors = embedder.embed(texts)
    assert [request["input"] for request in requests] == [["b", "aaa"], [" ", "cc"]]
    assert {request["path"] for request in requests} == {"/v1/embeddings"}
    assert {request["key"] for request in requests} == {"Bearer secret"}
    assert {request["encoding_format"] for request in requests} == {"base64"}
    assert vectors.dtype == np.float32
    expected = np.array([vector(text or " ", 4) for text in texts], dtype=np.float32)
    np.testing.assert_allclose(vectors, expected / np.linalg.norm(expected, axis=1, keepdims=True), rtol=1e-5)
    assert embedder.dimension == 4
    assert len(requests) == 2  # the dimension was learnt from the answer


@pytest.mark.parametrize(
    ("model", "asked"),
    [
        ("base64", ["base64", "base64"]),
        ("numbers", ["base64", "base64"]),
        ("only-numbers", ["base64", "float", "float"]),
    ],
)
def test_vectors_come_in_base64_where_the_server_has_it(
    server: tuple[str, list[dict[str, Any]]], model: str, asked: list[str]
) -> None:
    url, requests = server
    embedder = OpenAICompatible(model, base_url=url, batch_texts=1)
    vectors = embedder.embed(["a", "bb"])
    expected = np.array([vector(text, 4) for text in ("a", "bb")], dtype=np.float32)
    np.testing.assert_allclose(vectors, expected / np.linalg.norm(expected, axis=1, keepdims=True), rtol=1e-5)
    assert [request["encoding_format"] for request in requests] == asked


def test_a_server_that_is_overrun_is_asked_again_twice(server: tuple[str, list[dict[str, Any]]]) -> None:
    url, requests = server
    assert OpenAICompatible("waits", base_url=url).embed(["a"]).shape == (1, 4)
    assert len(requests) == 3


def test_dimension_is_given_or_asked_for_once(server: tuple[str, list[dict[str, Any]]]) -> None:
    url, requests = server
    assert OpenAICompatible("some-model", base_url=url, dimensions=3).dimension == 3
    assert requests == []
    embedder = OpenAICompatible("some-model", base_url=url)
    assert embedder.embed([]).shape == (0, 4)
    assert embedder.dimension == 4
    assert len(requests) == 1
    assert OpenAICompatible("some-model", base_url=url, dimensions=3).embed(["a"]).shape == (1, 3)


def test_fingerprint_names_server_model_and_dimensions(server: tuple[str, list[dict[str, Any]]]) -> None:
    url, _ = server
    host = url.removeprefix("http://").removesuffix("/v1")
    assert OpenAICompatible("m", base_url=url).fingerprint == f"openai:{host}:m:native"
    assert OpenAICompatible("m", api_key="k", dimensions=8).fingerprint == "openai:api.openai.com:m:8"


@pytest.mark.parametrize(
    ("model", "error", "root", "message"),
    [
        ("busy", EmbedderUnavailable, ModelUnavailable, "503"),
        ("limited", EmbedderUnavailable, ModelUnavailable, "429"),
        ("spent", EmbedderRejected, ModelRejected, "spent!"),
        ("forbidden", EmbedderRejected, ModelRejected, "403"),
        ("unknown", EmbedderRejected, ModelRejected, "'unknown'"),
        ("forgetful", EmbedderAnswerInvalid, EmbedderAnswerInvalid, "1 vectors for 2 texts"),
        ("not-json", EmbedderAnswerInvalid, EmbedderAnswerInvalid, "not one of /v1/embeddings"),
    ],
)
def test_errors_are_typed(
    server: tuple[str, list[dict[str, Any]]],
    model: str,
    error: type[Exception],
    root: type[Exception],
    message: str,
) -> None:
    url, _ = server
    with pytest.raises(error, match=message) as caught:
        OpenAICompatible(model, base_url=url, retries=0).embed(["a", "b"])
    assert isinstance(caught.value, root)


@pytest.mark.parametrize("model", GARBAGE)
def test_what_is_no_vector_of_finite_numbers_is_refused(server: tuple[str, list[dict[str, Any]]], model: str) -> None:
    url, _ = server
    with pytest.raises(EmbedderAnswerInvalid, match=f"{model!r} at 127"):
        OpenAICompatible(model, base_url=url, retries=0).embed(["a", "b"])


def test_a_server_that_is_not_there_is_unavailable() -> None:
    with pytest.raises(EmbedderUnavailable, match=r"127\.0\.0\.1:9"):
        OpenAICompatible("m", base_url="http://127.0.0.1:9/v1", retries=0, timeout_s=2).embed(["a"])


def test_openai_without_a_key_is_refused_before_anything_is_sent() -> None:
    with pytest.raises(EmbedderRejected, match="OPENAI_API_KEY"):
        OpenAICompatible("text-embedding-3-small")
