"""A real HTTP server that speaks OpenAI's batch format: files up and down, batches that take as many looks as told.

with BatchServer(lambda body: reply_body({...}), looks=2) as server:
    ...  # point a client at server.url
assert len(server.batches) == 1
"""

import json
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from loopback.http_server import Handler, HttpServer

Body = dict[str, Any]
Answering = Callable[[Body], tuple[int, Body]]


def said(content: object, read: int = 100, written: int = 20) -> tuple[int, Body]:
    text = content if isinstance(content, str) else json.dumps(content)
    message = {"role": "assistant", "content": text}
    return 200, {
        "id": "chatcmpl-1", "object": "chat.completion", "created": 0, "model": "loopback",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written},
    }  # fmt: skip


def refused(status: int, message: str) -> tuple[int, Body]:
    """An error for one request of a batch."""
    return status, {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": None}}


@dataclass
class Batch:
    """One batch: its requests in their order, and how often it was looked at."""

    requests: list[Body]
    looks: int = 0
    status: str = "in_progress"


@dataclass
class BatchServer(HttpServer):
    """The server. ``ends``: the state in which the n-th batch ends, by default completed."""

    BELOW = "/v1"
    answering: Answering
    looks: int = 1
    ends: dict[int, str] = field(default_factory=dict)
    batches: dict[str, Batch] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._files: dict[str, bytes] = {}
        self._lock = threading.Lock()
        self.listen(_handler(self))

    @property
    def requests(self) -> list[Body]:
        return [one["body"] for batch in self.batches.values() for one in batch.requests]

    def answer(self, method: str, path: str, content: bytes) -> tuple[int, bytes]:
        """Status and body of one HTTP request."""
        with self._lock:
            if (method, path) == ("POST", "/v1/files"):
                return self._upload(content)
            if (method, path) == ("POST", "/v1/batches"):
                return self._create(json.loads(content))
            if found := re.fullmatch(r"/v1/batches/(.+)", path):
                return self._look(found.group(1))
            if found := re.fullmatch(r"/v1/files/(.+)/content", path):
                return 200, self._files[found.group(1)]
        return 404, b'{"error": {"message": "no such path"}}'

    def _upload(self, content: bytes) -> tuple[int, bytes]:
        lines = [line for line in content.replace(b"\r", b"").split(b"\n") if line.startswith(b'{"custom_id"')]
        key = f"file-{len(self._files)}"
        self._files[key] = b"\n".join(lines)
        return 200, json.dumps(
            {"id": key, "object": "file", "bytes": 1, "created_at": 0, "filename": "x", "purpose": "batch",
             "status": "processed"}
        ).encode()  # fmt: skip

    def _create(self, asked: Body) -> tuple[int, bytes]:
        key = f"batch_{len(self.batches)}"
        lines = self._files[asked["input_file_id"]].split(b"\n")
        self.batches[key] = Batch([json.loads(line) for line in lines])
        return self._told(key)

    def _look(self, key: str) -> tuple[int, bytes]:
        if key not in self.batches:
            return 404, b'{"error": {"message": "No such batch"}}'
        batch = self.batches[key]
        batch.looks += 1
        if batch.looks > self.looks and batch.status == "in_progress":
            batch.status = self.ends.get(int(key.rpartition("_")[2]), "completed")
        return self._told(key)

    def _told(self, key: str) -> tuple[int, bytes]:
        batch = self.batches[key]
        files: dict[str, str | None] = {"output_file_id": None, "error_file_id": None}
        if batch.status == "completed":
            good, bad = [], []
            for one in batch.requests:
                status, body = self.answering(one["body"])
                line = {"id": "r", "custom_id": one["custom_id"], "response": {"status_code": status, "body": body}}
                (good if status < 400 else bad).append(json.dumps({**line, "error": None}))
            for name, lines in (("output_file_id", good), ("error_file_id", bad)):
                if lines:
                    files[name] = f"{key}-{name}"
                    self._files[f"{key}-{name}"] = "\n".join(lines).encode()
        errors = (
            {"object": "list", "data": [{"message": "The file is not valid."}]} if batch.status == "failed" else None
        )
        return 200, json.dumps(
            {"id": key, "object": "batch", "endpoint": "/v1/chat/completions", "input_file_id": "f", "errors": errors,
             "completion_window": "24h", "status": batch.status, "created_at": 0, **files}
        ).encode()  # fmt: skip


def _handler(server: BatchServer) -> type[Handler]:
    class Answering(Handler):
        def do_GET(self) -> None:
            self.respond(*server.answer(self.command, self.path, self.content()), {"Content-Type": "application/json"})

        do_POST = do_GET

    return Answering
