"""Model server on loopback in OpenAI's format: a scripted model with fixed latency, and an embedder."""

from __future__ import annotations

import base64
import hashlib
import json
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Protocol

from side_by_side.tokens import count

from backtrail.tools.embedders.protocol import Embedder


class Script(Protocol):
    """The scripted model."""

    def reply(self, request: dict[str, Any]) -> tuple[str, str]:
        """Return the kind of a request, and the reply. Raises ValueError for an unknown one."""
        ...


@dataclass
class Tally:
    """Requests of a client. Counters are by kind of request.

    Attributes:
        again: number of requests that repeat an earlier one literally.
        answered_from: prompts of the kind "answer", by the last mark.
    """

    calls: Counter[str] = field(default_factory=Counter[str])
    read: Counter[str] = field(default_factory=Counter[str])
    written: Counter[str] = field(default_factory=Counter[str])
    again: Counter[str] = field(default_factory=Counter[str])
    most_at_once: int = 0
    embedded: int = 0
    embedding_seconds: float = 0.0
    answered_from: dict[str, str] = field(default_factory=dict[str, str])


class ScriptedServer:
    """The server, a context manager."""

    def __init__(self, script: Script, embedder: Embedder, latency: float) -> None:
        self.unknown: list[str] = []
        self._script, self._embedder, self._latency = script, embedder, latency
        self._tally = Tally()
        self._seen: set[bytes] = set()
        self._at_once = 0
        self._mark = ""
        self._lock = threading.Lock()
        self._embedding = threading.Lock()
        self._http = _Http(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True)

    def __enter__(self) -> ScriptedServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()

    @property
    def url(self) -> str:
        """Base URL for clients."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    @property
    def calls(self) -> int:
        """Model calls since the last ``take``."""
        return self._tally.calls.total()

    def take(self) -> Tally:
        """Return the requests since the last call of ``take``."""
        with self._lock:
            taken, self._tally = self._tally, Tally()
        return taken

    def forget(self) -> None:
        """Forget earlier requests, so that none counts as repeated."""
        with self._lock:
            self._seen.clear()

    def mark(self, name: str) -> None:
        """Set the mark of the following requests."""
        self._mark = name

    def chat(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return a completion, after the latency."""
        started = time.perf_counter()
        shown = json.dumps([request["messages"], request.get("response_format")], ensure_ascii=False)
        digest = hashlib.sha256(shown.encode("utf-8", "surrogatepass")).digest()
        with self._lock:
            self._at_once += 1
            self._tally.most_at_once = max(self._tally.most_at_once, self._at_once)
        try:
            kind, text = self._script.reply(request)
            read, written = count(_shown(request)), count(text)
            with self._lock:
                tally = self._tally
                tally.calls[kind] += 1
                tally.read[kind] += read
                tally.written[kind] += written
                tally.again[kind] += digest in self._seen
                self._seen.add(digest)
                if kind == "answer":
                    tally.answered_from[self._mark] = tally.answered_from.get(self._mark, "") + _shown(request)
            time.sleep(max(0.0, self._latency - (time.perf_counter() - started)))
        except ValueError as error:
            self.unknown.append(str(error))
            raise
        finally:
            with self._lock:
                self._at_once -= 1
        usage = {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}
        choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
        return {
            "id": "1", "object": "chat.completion", "created": 0, "model": "scripted",
            "choices": [choice], "usage": usage,
        }  # fmt: skip

    def embed(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return vectors, as numbers or in base64."""
        given: str | Sequence[str] = request["input"]
        texts = [given] if isinstance(given, str) else list(given)
        with self._embedding:  # it uses every core; only sequential times can be summed
            started = time.perf_counter()
            vectors = self._embedder.embed(texts)
            self._tally.embedded += len(texts)
            self._tally.embedding_seconds += time.perf_counter() - started
        packed = request.get("encoding_format") == "base64"
        rows = [
            {
                "object": "embedding",
                "index": number,
                "embedding": base64.b64encode(vector.tobytes()).decode() if packed else vector.tolist(),
            }
            for number, vector in enumerate(vectors)
        ]
        return {"object": "list", "model": "minilm", "data": rows, "usage": {"prompt_tokens": 1, "total_tokens": 1}}


def _shown(request: dict[str, Any]) -> str:
    """Return everything that a model would read: messages, and the schema of the reply if one is sent."""
    texts = [message["content"] or "" for message in request["messages"]]
    if schema := (request.get("response_format") or {}).get("json_schema"):
        texts.append(json.dumps(schema))
    return "\n".join(texts)


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


def _handler(server: ScriptedServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # one packet for head and body
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            server.mark(self.path.rpartition("/")[2])
            self._send({})

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            ways = {"/v1/chat/completions": server.chat, "/v1/embeddings": server.embed}
            try:
                self._send(ways[self.path](request))
            except ValueError as error:
                self._send({"error": {"message": str(error), "type": "error", "code": None}}, 401)

        def _send(self, body: dict[str, Any], status: int = 200) -> None:
            packed = json.dumps(body).encode()
            try:
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(packed)))
                self.end_headers()
                self.wfile.write(packed)
                self.wfile.flush()
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True  # the client was killed

        def handle(self) -> None:
            try:
                super().handle()
            except ConnectionResetError:
                self.close_connection = True

        def log_message(self, format: str, *args: object) -> None:
            """Do nothing."""

    return Handler
