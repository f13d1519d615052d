"""Decider with copies in Ray actors: local models on a cluster's GPUs, or requests from many machines."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel

from backtrail.state.budget import UNBOUNDED, Allowance
from backtrail.state.decision import Decision
from backtrail.tools.deciders.open import open_decider
from backtrail.tools.deciders.protocol import AT_ONCE, Decided, Decider, PictureAttachment
from backtrail.tools.deciders.recording.cache import CachingDecider
from backtrail.tools.journal.shared import DECISIONS, shared_journal
from backtrail.tools.workers.actors import Actors
from backtrail.tools.workers.cluster import LOCAL
from backtrail.tools.workers.resources import Resources, gpus_of_local_model

I = TypeVar("I", bound=BaseModel)
O = TypeVar("O", bound=BaseModel)


@contextmanager
def deciding_on(engine: str, model: str, corpus: str) -> Iterator[Decider]:
    """Open the decider of a model for bulk work on a corpus; the block's end closes its actors.

    Raises:
        SettingsError, DependencyMissing: the model or the engine cannot be used here.
    """
    own = open_decider(model, temperature=0.0)
    if engine == LOCAL:
        yield own
        return
    copies = RayDecider(own.name, model, engine, corpus)
    try:
        yield copies
    finally:
        copies.actors.close()


class RayDecider:
    """Implements ``Decider`` by copies in Ray actors, one per node, or one per GPU of a local model.

    If machines share the corpus, a copy looks up each decision in the journal first, and stores it there before it
    returns: decisions that Ray repeats after a lost copy are not paid for twice.
    """

    def __init__(self, name: str, model: str, engine: str, corpus: str) -> None:
        self.name = name
        resources = Resources(gpus=gpus_of_local_model() if model.startswith("local:") else 0.0)
        self.actors = Actors(
            engine, DeciderCopy, [model, corpus], what=f"model {model!r}", resources=resources, waits=True
        )

    @property
    def at_once(self) -> int:
        """Concurrent decisions: ``AT_ONCE`` per copy. Starts the copies."""
        return AT_ONCE * len(self.actors)

    async def decide(
        self,
        decision: Decision[I, O],
        inputs: I,
        pictures: Sequence[PictureAttachment] = (),
        *,
        allowance: Allowance = UNBOUNDED,
    ) -> Decided[O]:
        """Take one decision by the copy with the fewest decisions under way.

        Raises:
            EngineUnavailable: copies are lost repeatedly.
            BacktrailError: what the copy raises; see ``Decider``.
        """
        return await self.actors.ask("decide", decision, inputs, list(pictures), allowance)


class DeciderCopy:
    """A decider in a Ray process. Records are kept only in the journal, which is deleted with the corpus."""

    def __init__(self, model: str, corpus: str) -> None:
        self._decider: Decider = open_decider(model, temperature=0.0)
        if journal := shared_journal(corpus, DECISIONS):
            self._folder = tempfile.TemporaryDirectory(prefix="backtrail-decisions-")
            self._decider = CachingDecider(self._decider, Path(self._folder.name), journal)

    async def decide(
        self,
        decision: Decision[Any, Any],
        inputs: BaseModel,
        pictures: Sequence[PictureAttachment],
        allowance: Allowance,
    ) -> Decided[Any]:
        """Take one decision."""
        return await self._decider.decide(decision, inputs, pictures, allowance=allowance)
