"""Read many contents some at a time: a corpus may not fit memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from backtrail.state.component import Component
from backtrail.tools.corpus.protocol import CorpusReader

BATCH = 500


def components_in_batches(corpus: CorpusReader, ids: Sequence[str]) -> Iterator[dict[str, Component]]:
    """Yield components by id, in order."""
    for start in range(0, len(ids), BATCH):
        yield corpus.components(ids[start : start + BATCH])
