"""OpenAI's batch endpoint: a file of requests up, a batch of it, its state, and the files of results and errors down.

https://platform.openai.com/docs/guides/batch. Blocking, by the OpenAI client.
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
    """Where a batch is. ``problem``: why the whole of it was refused."""

    status: str
    files: tuple[str, ...] = ()
    problem: str = ""

    @property
    def ended(self) -> bool:
        """Whether nothing more will come of it."""
        return self.status in ENDED


@dataclass(frozen=True)
class Result:
    """What came of one request: the body of a reply, or of an error."""

    status: int
    body: dict[str, Any]

    @property
    def message(self) -> str:
        """What an error says."""
        error = self.body.get("error")
        said = error.get("message") if isinstance(error, dict) else self.body.get("message")
        return str(said or "The request failed without a word.")


class BatchEndpoint:
    """Over a client of OpenAI's API or of a server that speaks like it."""

    def __init__(self, client: openai.OpenAI) -> None:
        self._client = client

    def submit(self, requests: Mapping[str, dict[str, Any]]) -> str:
        """Hand requests in, by ids of ours; the batch's id."""
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
        """Where it is now."""
        held = self._client.batches.retrieve(batch)
        problems = [one.message or "" for one in (held.errors.data if held.errors and held.errors.data else [])]
        files = tuple(file for file in (held.output_file_id, held.error_file_id) if file)
        return State(held.status, files, " ".join(problems))

    def results(self, state: State) -> Iterator[tuple[str, Result]]:
        """By our ids, in no order. A line that is no result is left out: its request has none."""
        for file in state.files:
            for line in self._client.files.content(file).content.split(b"\n"):
                if (one := _result(line)) is not None:
                    yield one


def _result(line: bytes) -> tuple[str, Result] | None:
    try:
        held = json.loads(line)
        key, response, error = held["custom_id"], held.get("response"), held.get("error")
        if response is None:  # it never reached the model: the batch ran out of time, or the server gave up
            return key, Result(503, {"error": error or {}})
        return key, Result(int(response["status_code"]), dict(response["body"]))
    except (ValueError, KeyError, TypeError):
        return None
