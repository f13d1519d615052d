"""Choose the extractor of the knowledge graph from the options of ``backtrail ingest``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from backtrail.state.settings import OFFLINE
from backtrail.tools.deciders.protocol import Decider
from backtrail.tools.errors import SettingsError


@contextmanager
def extracting_on(engine: str, corpus: str, model: str | None, *, wanted: bool) -> Iterator[Decider | None]:
    """Open the extractor of the knowledge graph: the named or the previous model. None if not wanted.

    Raises:
        SettingsError: a model without --knowledge-graph, or an unknown model.
    """
    if not wanted:
        if model:
            raise SettingsError("--extractor names the model of --knowledge-graph; give --knowledge-graph as well.")
        yield None
        return
    from backtrail.tools.deciders.offline import OfflineDecider
    from backtrail.tools.deciders.ray_actors import deciding_on
    from backtrail.tools.knowledge.open import recorded_extractor

    model = model or recorded_extractor(corpus) or OFFLINE
    if model == OFFLINE:  # rules read a chunk faster than it is sent
        yield OfflineDecider()
        return
    with deciding_on(engine, model, corpus) as decider:
        yield decider
