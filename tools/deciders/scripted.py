"""Decider with scripted outputs, for tests and examples; it fails when the script runs out.

    script = ScriptedDecider({"fif_evaluate": [Evaluation(answerable=True, relevant=["a"])]})

An entry is an output, its fields, an exception to raise, or a function of the inputs that returns one
of these. A function in place of a list is called for every decision.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from backtrail.state.budget import UNBOUNDED, Allowance
from backtrail.state.decision import Decision
from backtrail.state.usage import Charge, charge
from backtrail.tools.deciders.errors import ScriptExhausted
from backtrail.tools.deciders.protocol import Decided, DecisionFailed, PictureAttachment

I = TypeVar("I", bound=BaseModel)
O = TypeVar("O", bound=BaseModel)

Line = BaseModel | Mapping[str, Any] | Exception
Entry = Line | Callable[[Any], Line]


@dataclass(frozen=True)
class RequestedDecision:
    """One entry of the history."""

    decision: str
    inputs: BaseModel
    pictures: tuple[str, ...]


class ScriptedDecider:
    """Takes decisions from a script, one queue (or function) per decision name.

    Args:
        script: outputs by decision name.
        name: the decider's name in records.
        costs: the charge of each decision; by default one call without tokens.
        log: a file to which each call appends a line of JSON, so that calls can be counted across
            killed processes.

    Attributes:
        history: the requested decisions, in order.
    """

    def __init__(
        self,
        script: Mapping[str, Sequence[Entry] | Callable[[Any], Line]],
        name: str = "scripted",
        costs: Charge | None = None,
        log: Path | None = None,
    ) -> None:
        self.name = name
        self.history: list[RequestedDecision] = []
        self._queues = {key: deque(entries) for key, entries in script.items() if isinstance(entries, Sequence)}
        self._always = {key: entry for key, entry in script.items() if not isinstance(entry, Sequence)}
        self._costs = costs or charge(calls=1)
        self._log = log

    @property
    def left(self) -> dict[str, int]:
        """Numbers of unused entries by decision name, for tests that expect all of them to be used."""
        return {key: len(queue) for key, queue in self._queues.items() if queue}

    async def decide(
        self,
        decision: Decision[I, O],
        inputs: I,
        pictures: Sequence[PictureAttachment] = (),
        *,
        allowance: Allowance = UNBOUNDED,
    ) -> Decided[O]:
        """Return the next output of the script.

        Raises:
            ScriptExhausted: the script has no (further) output for this decision.
            DecisionFailed: the scripted output is not valid for these inputs.
            Exception: the scripted exception.
        """
        self.history.append(RequestedDecision(decision.name, inputs, tuple(picture.label for picture in pictures)))
        if self._log is not None:
            await asyncio.to_thread(_append, self._log, {"decision": decision.name, "pid": os.getpid()})
        line = self._next(decision.name, inputs)
        if isinstance(line, Exception):
            raise line
        return Decided(self._valid(decision, inputs, line), self._costs, self.name)

    def _next(self, decision: str, inputs: BaseModel) -> Line:
        if decision in self._always:
            return self._always[decision](inputs)
        queue = self._queues.get(decision)
        if not queue:
            number = sum(1 for one in self.history if one.decision == decision)
            scripted = sorted({*self._queues, *self._always})
            raise ScriptExhausted(
                f"The script has no reply number {number} for {decision!r}; it has {scripted}. Inputs: {inputs!r}"
            )
        entry = queue.popleft()
        return entry(inputs) if callable(entry) else entry

    def _valid(self, decision: Decision[I, O], inputs: I, line: BaseModel | Mapping[str, Any]) -> O:
        fields = line.model_dump() if isinstance(line, BaseModel) else dict(line)
        try:
            output = decision.output.model_validate(fields)
        except ValidationError as error:
            raise DecisionFailed(decision.name, self.name, str(error), self._costs) from error
        if problems := decision.check(inputs, output):
            raise DecisionFailed(decision.name, self.name, " ".join(problems), self._costs)
        return output


def _append(log: Path, line: dict[str, Any]) -> None:
    # One write of less than a page with O_APPEND: lines of several processes do not mix.
    handle = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    try:
        os.write(handle, (json.dumps(line) + "\n").encode())
    finally:
        os.close(handle)
