"""Users who ask one question after the other, and retry when a server or the database dies."""

from __future__ import annotations

import asyncio
import random
import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import httpx
from langgraph_sdk import get_client

from hosted_load.questions import CORPUS, Question, question

CONTEXT: Any = {"corpus": CORPUS, "variant": "published", "planner": "openai:scripted"}
ENDED = ("success", "error", "timeout", "interrupted")
GIVES_UP = 180.0
"""Seconds after which an accepted run that has not ended counts as lost."""

_LOST = (httpx.HTTPError, OSError, asyncio.TimeoutError)


@dataclass
class Outcome:
    """Outcome of a question. Times are of ``time.monotonic``."""

    question: Question
    thread: str
    began: float
    ended: float = 0.0
    status: str = "lost"
    answer: str = ""
    asked: str = ""
    runs: int = 0
    refused: int = 0

    @property
    def right(self) -> bool:
        """Whether the thread holds this question and its answer."""
        return self.asked == self.question.text and self.question.year in self.answer


class User:
    """One user with a key, who asks whichever server answers."""

    def __init__(self, number: int, urls: Sequence[str], key: str, name: str = "u") -> None:
        self._name, self._number = f"{name}{number}", number
        self._clients = [get_client(url=url, api_key=key, timeout=30) for url in urls]
        self._at, self._draw = number, random.Random(number)
        self.outcomes: list[Outcome] = []

    async def aclose(self) -> None:
        """Close the connections."""
        for client in self._clients:
            await client.aclose()

    async def ask_until(self, ends: float, pause: float) -> None:
        """Ask questions, with pauses in between."""
        while time.monotonic() < ends:
            await asyncio.sleep(pause * self._draw.random())  # users do not start together
            await self.ask()
            await asyncio.sleep(pause * self._draw.random())

    async def ask(self) -> Outcome:
        """Ask the next question on a new thread, and wait for its answer."""
        number = len(self.outcomes)
        asked = question(7 * self._number + number, f"{self._name}q{number}")
        self._at += 1  # round robin over servers
        outcome = Outcome(asked, str(uuid.uuid4()), time.monotonic())
        self.outcomes.append(outcome)
        run = await self._accepted(outcome)
        while run and time.monotonic() < outcome.began + GIVES_UP:
            try:
                outcome.status = (await self._call("runs", "get", outcome.thread, run))["status"]
                if outcome.status in ENDED:
                    outcome.ended = time.monotonic()
                    break
                await self._waited(outcome.thread, run)
            except _LOST:
                await asyncio.sleep(0.5)
        return outcome

    async def look_again(self, outcome: Outcome) -> None:
        """Read the final state of the thread of a question."""
        while True:
            try:
                values = (await self._call("threads", "get_state", outcome.thread))["values"]
                runs = await self._call("runs", "list", outcome.thread)
                break
            except _LOST:
                await asyncio.sleep(0.5)
        outcome.runs = len(runs)
        outcome.asked = str((values or {}).get("question"))
        outcome.answer = str(((values or {}).get("answer") or {}).get("text"))
        if runs:
            outcome.status = runs[0]["status"]

    async def _accepted(self, outcome: Outcome) -> str:
        """Create the run of a question once; if its creation is uncertain, look at the thread."""
        until = outcome.began + GIVES_UP
        while time.monotonic() < until:
            try:
                await self._call("threads", "create", thread_id=outcome.thread, if_exists="do_nothing")
                if runs := await self._call("runs", "list", outcome.thread):
                    return str(runs[0]["run_id"])
                sent = {"input": {"question": outcome.question.text}, "context": CONTEXT}
                return str((await self._call("runs", "create", outcome.thread, "fif", **sent))["run_id"])
            except httpx.HTTPStatusError as error:
                outcome.refused += error.response.status_code in (429, 503)
                await asyncio.sleep(0.5)
            except _LOST:
                await asyncio.sleep(0.5)
        return ""

    async def _waited(self, thread: str, run: str) -> None:
        """Wait until a run has ended or its stream breaks."""
        try:
            async with asyncio.timeout(20):
                async for part in self._client().runs.join_stream(thread, run):
                    if part.event == "end":
                        return
        except TimeoutError:
            return
        except _LOST:
            self._at += 1
            raise

    async def _call(self, of: str, what: str, *arguments: Any, **named: Any) -> Any:
        try:
            return await getattr(getattr(self._client(), of), what)(*arguments, **named)
        except httpx.HTTPStatusError:
            raise
        except _LOST:
            self._at += 1  # the next server
            raise

    def _client(self) -> Any:
        return self._clients[self._at % len(self._clients)]
