"""OpenAI's batch endpoint: upload requests, create a batch, poll it, download results and errors.

Source: https://platform.openai.com/docs/guides/batch. Blocking.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import openai

CHAT = "/v1/chat/completions"
WINDOW = "24h"
ENDED = ("completed", "failed", "expired", "cancelled")


@dataclass(frozen=True)
class State:
    """State of a batch. ``problem``: why the server refused the whole batch."""

    status: str
    files: tuple[str, ...] = ()
    problem: str = ""

    @property
    def ended(self) -> bool:
        """Whether the batch gives no further results."""
        return self.status in ENDED


@dataclass(frozen=True)
class Result:
    """Result of one request: the body of a reply or of an error."""

    status: int
    body: dict[str, Any]

    @property
    def message(self) -> str:
        """The server's error message."""
        error = self.body.get("error")
        message = error.get("message") if isinstance(error, dict) else self.body.get("message")
        return str(message or "The request failed and the server gave no reason.")


class BatchEndpoint:
    """Batch endpoint over a client of OpenAI's API or a compatible server."""

    def __init__(self, client: openai.OpenAI) -> None:
        self._client = client

    def submit(self, requests: Mapping[str, dict[str, Any]]) -> str:
        """Submit requests, keyed by our ids, and return the batch's id."""
        lines = [
            json.dumps({"custom_id": key, "method": "POST", "url": CHAT, "body": body}, ensure_ascii=False)
            for key, body in requests.items()
        ]
        content = "\n".join(lines).encode("utf-8", "replace")
        file = self._client.files.create(file=("requests.jsonl", content), purpose="batch")
        return self._client.batches.create(
            input_file_id=file.id, endpoint=CHAT, completion_window=WINDOW, metadata={"by": "backtrail"}
        ).id

    def state(self, batch: str) -> State:
        """Return the current state of a batch."""
        found = self._client.batches.retrieve(batch)
        problems = [one.message or "" for one in (found.errors.data if found.errors and found.errors.data else [])]
        files = tuple(file for file in (found.output_file_id, found.error_file_id) if file)
        return State(found.status, files, " ".join(problems))

    def results(self, state: State) -> Iterator[tuple[str, Result]]:
        """Yield results by our ids, in no order. Malformed lines are skipped: they count as no result."""
        for file in state.files:
            for line in self._client.files.content(file).content.split(b"\n"):
                if (one := _result(line)) is not None:
                    yield one


def _result(line: bytes) -> tuple[str, Result] | None:
    try:
        fields = json.loads(line)
        key, response, error = fields["custom_id"], fields.get("response"), fields.get("error")
        if response is None:  # it never reached the model: the batch ran out of time, or the server gave up
            return key, Result(503, {"error": error or {}})
        return key, Result(int(response["status_code"]), dict(response["body"]))
    except (ValueError, KeyError, TypeError):
        return None
