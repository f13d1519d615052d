"""A real HTTP server that speaks OpenAI's wire format and says what a test tells it to.

    with OpenAIServer([error(429, retry_after="0"), reply({"question": "Who?"})]) as server:
        ...  # point a client at server.url
    assert len(server.chats) == 2

A script entry is a ``Said`` or a function of the received request that returns one. The last entry
repeats with ``forever=True``; otherwise a request beyond the script is answered with status 418, so
that a test which sends too much fails.
"""

import base64
import hashlib
import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from loopback.event_stream import events
from loopback.http_server import Handler, HttpServer


@dataclass(frozen=True)
class Said:
    """What the server answers: bytes with a status, perhaps late. With status 0 it hangs up instead."""

    body: bytes
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0


@dataclass(frozen=True)
class Received:
    """A request as it arrived; names of headers in small letters."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]

    @property
    def form(self) -> str:
        """How JSON was asked for: schema, tool, json or text."""
        kind = self.body.get("response_format", {}).get("type", "")
        if self.body.get("tools"):
            return "tool"
        return {"json_schema": "schema", "json_object": "json"}.get(kind, "text")

    @property
    def text(self) -> str:
        return "\n".join(part["text"] for part in self._parts() if part["type"] == "text")

    @property
    def images(self) -> list[bytes]:
        urls = [part["image_url"]["url"] for part in self._parts() if part["type"] == "image_url"]
        return [base64.b64decode(url.partition(",")[2]) for url in urls]

    def _parts(self) -> list[dict[str, Any]]:
        parts: list[dict[str, Any]] = []
        for message in self.body.get("messages", []):
            content = message["content"]
            parts += [{"type": "text", "text": content}] if isinstance(content, str) else content or []
        return parts


Entry = Said | Callable[[Received], Said]


def completion(message: Mapping[str, Any], finish: str, usage: Mapping[str, Any] | None) -> Said:
    """A chat completion with one choice."""
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": finish}
    frame = {"id": "chatcmpl-1", "object": "chat.completion", "created": 0, "model": "loopback"}
    body: dict[str, Any] = {**frame, "choices": [choice]}
    if usage is not None:
        body["usage"] = usage
    return Said(json.dumps(body).encode())


def usage(read: int = 100, written: int = 20, cached: int = 0) -> dict[str, Any]:
    """Tokens as the server reports them."""
    total = {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}
    return {**total, "prompt_tokens_details": {"cached_tokens": cached}}


def reply(
    content: object, *, finish: str = "stop", tokens: Mapping[str, Any] | None = None, no_usage: bool = False
) -> Said:
    """A plain reply: text as it is, anything else as JSON."""
    text = content if isinstance(content, str) else json.dumps(content)
    return completion({"content": text}, finish, None if no_usage else (tokens or usage()))


def tool_reply(arguments: object) -> Said:
    """A reply through a tool call. Arguments may be a string that is no JSON."""
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    call = {"id": "call_1", "type": "function", "function": {"name": "decision", "arguments": text}}
    return completion({"content": None, "tool_calls": [call]}, "tool_calls", usage())


def refusal(text: str) -> Said:
    return completion({"content": None, "refusal": text}, "stop", usage())


def error(status: int, message: str = "no", *, code: str | None = None, retry_after: str | None = None) -> Said:
    """An error with OpenAI's body."""
    body = {"error": {"message": message, "type": "error", "param": None, "code": code}}
    headers = {} if retry_after is None else {"Retry-After": retry_after}
    return Said(json.dumps(body).encode(), status, headers)


HANGS_UP = Said(b"", 0)


def late(seconds: float, said: Said) -> Said:
    return Said(said.body, said.status, said.headers, seconds)


def accepting(*forms: str, content: object) -> Callable[[Received], Said]:
    """A server that knows only these forms of asking for JSON and rejects the others as real ones do."""
    complaints = {
        "schema": "'response_format' of type 'json_schema' is not supported with this model.",
        "tool": "This model does not support tools.",
        "json": "response_format json_object is not supported.",
        "text": "Only structured requests.",
    }

    def answer(request: Received) -> Said:
        if request.form not in forms:
            return error(400, complaints[request.form])
        return tool_reply(content) if request.form == "tool" else reply(content)

    return answer


class OpenAIServer(HttpServer):
    """The server, running between ``with`` and the end of the block.

    Args:
        pause: seconds between two pieces of a reply that a client asked for as a stream.
        holds_at: the piece of each stream after which it says no more until ``gate`` is set; None holds none.
        streams: whether it streams at all; one that does not sends the whole reply to who asks for a stream, too.
        lingers: seconds that a connection which is to be closed stays open after its reply, deaf, as on a busy machine.
    """

    BELOW = "/v1"

    def __init__(
        self,
        script: Sequence[Entry] = (),
        *,
        forever: bool = False,
        pause: float = 0.0,
        holds_at: int | None = None,
        streams: bool = True,
        lingers: float = 0.0,
    ) -> None:
        self.received: list[Received] = []
        self.pause, self.streams, self.lingers = pause, streams, lingers
        self.holds_at, self.gate = holds_at, threading.Event()
        self._script = list(script)
        self._forever = forever
        self._lock = threading.Lock()
        self.listen(_handler(self))

    @property
    def chats(self) -> list[Received]:
        return [one for one in self.received if one.path == "/v1/chat/completions"]

    def answer(self, request: Received) -> Said:
        with self._lock:
            self.received.append(request)
            if request.path == "/v1/models":
                return Said(json.dumps({"object": "list", "data": [{"id": "loopback", "object": "model"}]}).encode())
            if request.path == "/v1/embeddings":
                return _embeddings(request.body["input"])
            if request.path not in ("/v1/chat/completions", "/v1/completions"):
                return error(404, f"no such path {request.path}")
            entry = self._next()
        return entry(request) if callable(entry) else entry

    def _next(self) -> Entry:
        """The next entry of the script; one that a test did not think of fails the request."""
        if not self._script:
            return error(418, "the script of the loopback server has no more entries")
        return self._script[0] if self._forever and len(self._script) == 1 else self._script.pop(0)


def _embeddings(texts: str | list[str]) -> Said:
    rows = [texts] if isinstance(texts, str) else texts
    data = [{"object": "embedding", "index": place, "embedding": _vector(text)} for place, text in enumerate(rows)]
    body = {"object": "list", "model": "loopback", "data": data, "usage": {"prompt_tokens": 1, "total_tokens": 1}}
    return Said(json.dumps(body).encode())


def _vector(text: str) -> list[float]:
    return [byte / 255 for byte in hashlib.sha256(text.encode()).digest()]


def _handler(server: OpenAIServer) -> type[Handler]:
    class Speaking(Handler):
        def finish(self) -> None:
            server.wait(server.lingers)
            super().finish()

        def do_POST(self) -> None:
            body = json.loads(self.content() or b"{}")
            headers = {name.lower(): value for name, value in self.headers.items()}
            said = server.answer(Received(self.path, headers, body))
            if said.delay:
                server.wait(said.delay)
            if not said.status:
                self.close_connection = True
                return
            try:
                if server.streams and body.get("stream") and said.status == 200 and "/chat/completions" in self.path:
                    self._stream(said, usage=bool((body.get("stream_options") or {}).get("include_usage")))
                    return
                closing = {"Connection": "close"} if self.close_connection else {}  # some close at this word only
                self.respond(said.status, said.body, {"Content-Type": "application/json", **said.headers, **closing})
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True  # the client gave up waiting, as a slow server must expect

        do_GET = do_POST

        def _stream(self, said: Said, *, usage: bool) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Connection", "close")
            self.end_headers()
            self.close_connection = True
            for number, event in enumerate(events(said.body, usage=usage)):
                self.wfile.write(event)
                self.wfile.flush()
                if number == server.holds_at:
                    server.gate.wait(120)
                server.wait(server.pause)

    return Speaking
