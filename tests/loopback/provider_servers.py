"""Real HTTP servers that speak the wire formats of Anthropic, Gemini and Ollama and say what a test tells them to."""

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from loopback.openai_server import Entry, OpenAIServer, Received, Said, error, reply, usage


def _text(content: object) -> str:
    return content if isinstance(content, str) else json.dumps(content)


@dataclass(frozen=True)
class Format:
    """One provider's wire format, as far as a decision needs it. Tokens: 100 read, 40 of them cached, 20 written."""

    name: str
    path: str

    def says(self, content: object, *, finish: str = "") -> Said:
        """A reply; ``finish`` in the provider's own word."""
        return getattr(self, f"_{self.name}")(_text(content), finish)

    def fails(self, status: int, message: str) -> Said:
        """An error in the provider's own words."""
        bodies: dict[str, Any] = {
            "anthropic": {"type": "error", "error": {"type": "invalid_request_error", "message": message}},
            "google_genai": {"error": {"code": status, "message": message, "status": "INVALID_ARGUMENT"}},
            "ollama": {"error": message},
        }
        return error(status, message) if self.name == "openai" else Said(json.dumps(bodies[self.name]).encode(), status)

    def schema(self, request: Received) -> dict[str, Any] | None:
        """The JSON schema that a request holds the reply to."""
        body = request.body
        found = {
            "openai": lambda: body["response_format"]["json_schema"]["schema"],
            "anthropic": lambda: body["output_config"]["format"]["schema"],
            "google_genai": lambda: body["generationConfig"]["responseJsonSchema"],
            "ollama": lambda: body["format"],
        }[self.name]
        try:
            return found()
        except (KeyError, TypeError):
            return None

    def pictures(self, request: Received) -> list[bytes]:
        return [base64.b64decode(held, altchars=b"-_" if self is GEMINI else None) for held in _base64(request.body)]

    def _openai(self, text: str, finish: str) -> Said:
        return reply(text, finish=finish or "stop", tokens=usage(100, 20, 40))

    def _anthropic(self, text: str, finish: str) -> Said:
        tokens = {
            "input_tokens": 50, "output_tokens": 20, "cache_read_input_tokens": 40, "cache_creation_input_tokens": 10,
        }  # fmt: skip
        content = [{"type": "text", "text": text}] if text else []
        body = {
            "id": "msg_1", "type": "message", "role": "assistant", "model": "loopback", "content": content,
            "stop_reason": finish or "end_turn", "stop_sequence": None, "usage": tokens,
        }  # fmt: skip
        return Said(json.dumps(body).encode())

    def _google_genai(self, text: str, finish: str) -> Said:
        candidate = {"content": {"role": "model", "parts": [{"text": text}]}, "finishReason": finish or "STOP"}
        tokens = {
            "promptTokenCount": 100, "candidatesTokenCount": 13, "thoughtsTokenCount": 7,
            "cachedContentTokenCount": 40, "totalTokenCount": 120,
        }  # fmt: skip
        return Said(json.dumps({"candidates": [candidate], "usageMetadata": tokens}).encode())

    def _ollama(self, text: str, finish: str) -> Said:
        common = {"model": "loopback", "created_at": "2026-01-01T00:00:00Z"}
        first = {**common, "message": {"role": "assistant", "content": text}, "done": False}
        last = {
            **common, "message": {"role": "assistant", "content": ""}, "done": True, "done_reason": finish or "stop",
            "prompt_eval_count": 100, "eval_count": 20, "total_duration": 1, "load_duration": 1,
        }  # fmt: skip
        lines = f"{json.dumps(first)}\n{json.dumps(last)}\n"
        return Said(lines.encode(), headers={"Content-Type": "application/x-ndjson"})


OPENAI = Format("openai", "/v1/chat/completions")
ANTHROPIC = Format("anthropic", "/v1/messages")
GEMINI = Format("google_genai", ":generateContent")
OLLAMA = Format("ollama", "/api/chat")


class ProviderServer(OpenAIServer):
    """A server of one format; anything that is not asked at its path is a 404."""

    def __init__(
        self, form: Format, script: Sequence[Entry] = (), *, forever: bool = False, lingers: float = 0.0
    ) -> None:
        super().__init__(script, forever=forever, lingers=lingers)
        self.form = form

    @property
    def root(self) -> str:
        """The address to name in a model's name."""
        return self.url if self.form is OPENAI else self.url.removesuffix("/v1")

    @property
    def chats(self) -> list[Received]:
        return [one for one in self.received if one.path.partition("?")[0].endswith(self.form.path)]

    def answer(self, request: Received) -> Said:
        with self._lock:
            self.received.append(request)
            if not request.path.partition("?")[0].endswith(self.form.path):
                return self.form.fails(404, f"no such path {request.path}")
            entry = self._next()
        return entry(request) if callable(entry) else entry


def _base64(held: object) -> list[str]:
    """What stands for picture data anywhere in a request, in each format's way."""
    if isinstance(held, list):
        return [one for part in held for one in _base64(part)]
    if not isinstance(held, dict):
        return []
    if isinstance(url := held.get("url"), str) and url.startswith("data:"):
        return [url.partition(",")[2]]
    found = [held["data"]] if isinstance(held.get("data"), str) else []
    found += [one for one in held.get("images") or [] if isinstance(one, str)]
    return found + [one for key, part in held.items() if key != "images" for one in _base64(part)]
