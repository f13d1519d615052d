"""Scripted model server: takes FiF's decisions with a latency and records the calls."""

from __future__ import annotations

import hashlib
import json
import socket
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any

from loopback.http_server import HttpServer  # pyright: ignore[reportMissingImports] - of the tests

from hosted_load.questions import asked_in

USAGE = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}


@dataclass
class Call:
    """A call of one server for one question, with times of ``time.monotonic``.

    ``ended`` is 0 until it is answered, and stays 0 if the caller was gone by then.
    """

    server: str
    ticket: str
    decision: str
    digest: str
    began: float
    ended: float = 0.0


def _reply(decision: str, asked: str, before: int) -> dict[str, Any]:
    """Return the scripted reply: search once, judge it sufficient, stop."""
    search = {"action": "search", "subquery_id": "q0", "subtask": asked, "why": "scripted"}
    script: dict[str, list[dict[str, Any]]] = {
        "fif_decompose": [{"subqueries": [{"text": asked}]}],
        "fif_orchestrate": [search, {"action": "stop"}],
        "fif_evaluate": [{"answerable": True, "relevant": [], "resolved": [], "reason": "scripted"}],
        "fif_rerank": [{"choices": []}],
    }
    replies = script[decision]
    return replies[min(before, len(replies) - 1)]


@dataclass
class Model(HttpServer):
    """HTTP server of the model, a context manager; ``url`` includes the name of the calling server."""

    latency: float
    calls: list[Call] = field(default_factory=list[Call])
    strange: list[str] = field(default_factory=list[str])
    _asked: dict[tuple[str, str], list[str]] = field(default_factory=dict[tuple[str, str], list[str]])

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        self.listen(_handler(self))

    def url(self, server: str) -> str:
        """Return the base URL for one of the servers."""
        return f"http://127.0.0.1:{self.port}/{server}/v1"

    def answer(self, path: str, body: dict[str, Any]) -> tuple[bytes, Call | None]:
        """Return the reply to a request, after the latency."""
        text = json.dumps(body, sort_keys=True)
        asked, ticket = asked_in("\n".join(str(message["content"]) for message in body.get("messages", ())))
        decision = body.get("response_format", {}).get("json_schema", {}).get("name", "")
        call = Call(path.split("/")[1], ticket, decision, hashlib.sha256(text.encode()).hexdigest(), time.monotonic())
        with self._lock:
            # a repeated prompt gets the same reply, a new one the next of the script
            before = self._asked.setdefault((ticket, decision), [])
            if call.digest not in before:
                before.append(call.digest)
            self.calls.append(call)
        try:
            reply = _reply(decision, asked, before.index(call.digest))
        except KeyError:
            self.strange.append(decision or text[:200])
            reply = {}
        time.sleep(self.latency)
        message = {"role": "assistant", "content": json.dumps(reply)}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        whole = {"id": "c", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice]}
        whole["usage"] = USAGE
        return json.dumps(whole).encode(), call


def _is_there(connection: socket.socket) -> bool:
    """Return whether the caller is still connected. On a busy machine a request can be read long after its caller
    was killed."""
    try:
        return connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) != b""
    except BlockingIOError:
        return True
    except OSError:
        return False


def _handler(model: Model) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            sent = self.rfile.read(length := int(self.headers["Content-Length"]))
            if len(sent) < length:  # the caller was killed while sending
                self.close_connection = True
                return
            body, call = model.answer(self.path, json.loads(sent))
            if not _is_there(self.connection):
                self.close_connection = True
                return
            try:
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
            except OSError:  # the caller was killed
                self.close_connection = True
            else:
                if call is not None:
                    call.ended = time.monotonic()

        def log_message(self, format: str, *args: object) -> None:
            """Do nothing."""

    return Handler
