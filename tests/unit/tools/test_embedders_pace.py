"""A server that has a limit is asked no more than it takes, and an ingest waits for it instead of failing."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from backtrail.tools.embedders.errors import EmbedderRejected, EmbedderUnavailable
from backtrail.tools.embedders.openai_compatible import OpenAICompatible
from backtrail.tools.embedders.overrun import LONGEST_S, Overrun

WAIT_S = 0.3
AT_ONCE = 4


class Limited(BaseHTTPRequestHandler):
    """Refuses the first requests, which come together, and asks to be left alone for a while."""

    protocol_version = "HTTP/1.1"
    together: threading.Barrier
    lock: threading.Lock
    told: dict[str, Any]

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.lock:
            arrived = time.monotonic()
            self.told["asked"] += 1
            refused = self.told["asked"] <= AT_ONCE
            self.told["early"] += not refused and arrived < self.told["until"]
            self.told["running"] += 1
            self.told["most"] = max(self.told["most"], 0 if refused else self.told["running"])
        if refused:
            self.together.wait(timeout=60)
        else:
            time.sleep(0.02)
        with self.lock:
            self.told["running"] -= 1
            if refused:
                self.told["until"] = time.monotonic() + WAIT_S
        data = [{"object": "embedding", "index": at, "embedding": [1.0, 2.0]} for at in range(len(body["input"]))]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        answer = {"error": {"message": "slower"}} if refused else {"object": "list", "data": data, "usage": usage}
        payload = json.dumps({"model": "m", **answer}).encode()
        self.send_response(429 if refused else 200)
        self.send_header("Retry-After", str(WAIT_S))
        self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)

    def log_message(self, *_: object) -> None:
        """Keeps the test's output quiet."""


@pytest.fixture
def limited(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, dict[str, Any]]]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    told = {"asked": 0, "early": 0, "running": 0, "most": 0, "until": 0.0}
    own = {"told": told, "lock": threading.Lock(), "together": threading.Barrier(AT_ONCE)}
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (Limited,), own))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1", told
    server.shutdown()
    server.server_close()
    thread.join()


def test_what_one_request_is_told_holds_for_all(limited: tuple[str, dict[str, Any]]) -> None:
    url, told = limited
    embedder = OpenAICompatible("m", base_url=url, requests_at_once=AT_ONCE)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        found = list(pool.map(embedder.embed, [[f"text {number}"] for number in range(AT_ONCE)]))
    assert [vectors.shape for vectors in found] == [(1, 2)] * AT_ONCE
    assert told["asked"] == 2 * AT_ONCE
    assert told["early"] == 0  # nobody came before it was time
    assert told["most"] <= AT_ONCE // 2  # and fewer came together


def test_bulk_work_waits_for_a_limit_and_for_nothing_else() -> None:
    now = 0.0
    overrun = Overrun(lambda: now)
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
