"""A decider whose decisions are kept, one a line, and given again to whoever is asked the same.

A line holds the hash of what the reader was shown (prompt, schema, pictures), never the text of it: corpora have
licences of their own. What the reader wrote, with the few words that it quotes, is kept whole.
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
    """Gives what was kept; asks where nothing was, and keeps that.

    Args:
        file: one record a line, perhaps packed; it is appended to.
        asking: who decides what is not kept; None makes that an error.
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
        """One decision. A failure is kept too, and fails again.

        Raises:
            MissingRecord: it was never asked, and nobody is here to be asked.
            DecisionFailed: it failed, now or then.
        """
        key, prompt = await asyncio.to_thread(record_key, decision, inputs, pictures)
        held = self._held.get((decision.name, key))
        if held is None:
            held = await self._ask(decision, inputs, pictures, allowance, key, prompt)
        if held.get("problem"):
            raise DecisionFailed(decision.name, self.name, held["problem"], held["charge"])
        output = type_as_written(decision.output, held["output"]).model_validate(held["output"])
        if problems := decision.check(inputs, output):
            raise MissingRecord(f"The reply kept for {decision.name!r} does not fit any more: {' '.join(problems)}")
        return Decided(output, held["charge"], self.name, tuple(held["notes"]))

    async def _ask(
        self, decision: Decision[Any, Any], inputs: Any, pictures: Sequence[PictureAttachment], allowance: Allowance,
        key: str, prompt: str,
    ) -> dict[str, Any]:  # fmt: skip
        asked = str(getattr(inputs, "subtask", None) or getattr(inputs, "question", ""))
        if self._asking is None:
            raise MissingRecord(f"Nobody was asked {decision.name!r} about {asked!r} in these words.")
        problem, output, notes = "", {}, list[str]()
        try:
            decided = await self._asking.decide(decision, inputs, pictures, allowance=allowance)
            output, charge, notes = decided.output.model_dump(mode="json"), decided.charge, list(decided.notes)
        except DecisionFailed as error:
            problem, charge = error.problem, error.charge
        record = Record(decision.name, READER, key, prompt, asked, output, charge, notes)
        held = {**asdict(record), **({"problem": problem} if problem else {})}
        append(self._file, held)
        self._held[decision.name, key] = held
        return held


def lines_of(file: Path) -> Iterator[dict[str, Any]]:
    """The objects of a file of lines, packed or not; none where there is no file. A line that was cut off is left."""
    if not file.exists():
        return
    content = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
    for line in content.split(b"\n")[:-1]:
        yield json.loads(line)


def append(file: Path, held: dict[str, Any]) -> None:
    """One line more, all of it or none after a kill."""
    file.parent.mkdir(parents=True, exist_ok=True)
    if file.exists() and (content := file.read_bytes()) and not content.endswith(b"\n"):
        file.write_bytes(content[: content.rfind(b"\n") + 1])
    with file.open("ab", buffering=0) as out:
        out.write(json.dumps(held, ensure_ascii=False, sort_keys=True).encode() + b"\n")
