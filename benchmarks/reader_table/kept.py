"""Decider that records each reply in a file of JSON lines, and returns it for the same prompt.

A line has the hash of the prompt, schema and pictures, never their text, because of the licences of the corpora. The
reply is recorded in full, with the few words that it quotes.
"""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from backtrail.state.budget import UNBOUNDED, Allowance
from backtrail.state.decision import Decision
from backtrail.state.offline.extract import type_as_written
from backtrail.tools.deciders.errors import MissingRecord
from backtrail.tools.deciders.protocol import Decided, Decider, DecisionFailed, PictureAttachment
from backtrail.tools.deciders.recording.record_file import Record, record_key

READER = "reader"


class Kept:
    """Returns the recorded reply to a prompt, else asks for one and records it.

    Args:
        file: one record per line, optionally gzipped; new records are appended.
        asking: decider for prompts without a record; None makes them an error.
    """

    name = READER

    def __init__(self, file: Path, asking: Decider | None) -> None:
        self._file = file
        self._asking = asking
        self._held = {(one["decision"], one["key"]): one for one in lines_of(file)}

    async def decide(
        self, decision: Decision[Any, Any], inputs: Any, pictures: Sequence[PictureAttachment] = (), *,
        allowance: Allowance = UNBOUNDED,
    ) -> Decided[Any]:  # fmt: skip
        """Take one decision. A reply without valid output is recorded too, and fails again.

        Raises:
            MissingRecord: there is no usable record, and no model to ask.
            DecisionFailed: the reply has no valid output.
            ModelError: the model could not be reached, or rejected the request; nothing is recorded.
        """
        key, prompt = await asyncio.to_thread(record_key, decision, inputs, pictures)
        record = self._held.get((decision.name, key))
        problems = _misfits(decision, inputs, record) if record else []
        if record is None or (problems and self._asking):
            record = await self._ask(decision, inputs, pictures, allowance, key, prompt)
        elif problems:
            raise MissingRecord(f"The reply kept for {decision.name!r} does not fit any more: {' '.join(problems)}")
        if record.get("problem"):
            raise DecisionFailed(decision.name, self.name, record["problem"], record["charge"])
        return Decided(_output(decision, record), record["charge"], self.name, tuple(record["notes"]))

    async def _ask(
        self, decision: Decision[Any, Any], inputs: Any, pictures: Sequence[PictureAttachment], allowance: Allowance,
        key: str, prompt: str,
    ) -> dict[str, Any]:  # fmt: skip
        asked = str(getattr(inputs, "subtask", None) or getattr(inputs, "question", ""))
        if self._asking is None:
            raise MissingRecord(f"There is no recorded reply to this prompt of {decision.name!r} about {asked!r}.")
        problem, output, notes = "", {}, list[str]()
        try:
            decided = await self._asking.decide(decision, inputs, pictures, allowance=allowance)
            output, charge, notes = decided.output.model_dump(mode="json"), decided.charge, list(decided.notes)
        except DecisionFailed as error:
            problem, charge = error.problem, error.charge
        record = Record(decision.name, READER, key, prompt, asked, output, charge, notes)
        held = {**asdict(record), **({"problem": problem} if problem else {})}
        self._keep(held)
        return held

    def _keep(self, held: dict[str, Any]) -> None:
        append(self._file, held)
        self._held[held["decision"], held["key"]] = held


def _output(decision: Decision[Any, Any], held: dict[str, Any]) -> Any:
    return type_as_written(decision.output, held["output"]).model_validate(held["output"])


def _misfits(decision: Decision[Any, Any], inputs: Any, held: dict[str, Any]) -> list[str]:
    """Return the problems that the check of a decision finds in a recorded reply."""
    return [] if held.get("problem") else list(decision.check(inputs, _output(decision, held)))


def lines_of(file: Path) -> Iterator[dict[str, Any]]:
    """Yield the objects of JSON lines, gzipped or not, if the file exists; skip an incomplete last line."""
    if not file.exists():
        return
    content = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
    for line in content.split(b"\n")[:-1]:
        yield json.loads(line)


def append(file: Path, held: dict[str, Any]) -> None:
    """Append a line, atomically with respect to a kill."""
    file.parent.mkdir(parents=True, exist_ok=True)
    if file.exists() and (content := file.read_bytes()) and not content.endswith(b"\n"):
        file.write_bytes(content[: content.rfind(b"\n") + 1])
    with file.open("ab", buffering=0) as out:
        out.write(json.dumps(held, ensure_ascii=False, sort_keys=True).encode() + b"\n")
