"""Who reads the corpus into its knowledge graph, by the options of ``backtrail ingest``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from backtrail.state.settings import OFFLINE
from backtrail.tools.deciders.protocol import Decider
from backtrail.tools.errors import SettingsError


@contextmanager
def extracting_on(engine: str, corpus: str, model: str | None, *, wanted: bool) -> Iterator[Decider | None]:
    """Who reads the corpus into its graph, if that is asked for: the named model, else the one that did before.

    Raises:
        SettingsError: a model without --knowledge-graph, or a name that names none.
    """
    from backtrail.tools.deciders.offline import OfflineDecider
    from backtrail.tools.deciders.ray_actors import deciding_on
    from backtrail.tools.knowledge.open import recorded_extractor

    if not wanted:
        if model:
            raise SettingsError("--extractor names who reads the knowledge graph; give --knowledge-graph as well.")
        yield None
        return
    model = model or recorded_extractor(corpus) or OFFLINE
    if model == OFFLINE:  # rules take less time for a chunk than it takes to send it
        yield OfflineDecider()
        return
    with deciding_on(engine, model, corpus) as decider:
        yield decider
