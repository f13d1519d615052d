"""Difference of a change from the previous generation: rows that stay, and the last old key.

Keys rise and are never reused, and the rows of a document are adjacent. So a change removes rows of a layer and appends
the new ones, and everything derived from a row that stays can be reused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from sqlalchemy import Connection, select

from backtrail.tools.arrays.vector_rows import Mask
from backtrail.tools.corpus.generation import Generation
from backtrail.tools.corpus.tables.schema import documents

_WORTH_WHILE = 0.5
"""Share of documents that have to stay: with fewer, a full build costs no more (ours)."""


@dataclass(frozen=True)
class Difference:
    """A change of a generation's documents.

    Attributes:
        previous: the generation that is reused.
        documents: which of its document rows stay.
        last: its highest key; rows with higher keys are new.
    """

    previous: Generation
    documents: Mask
    last: int

    @cached_property
    def components(self) -> Mask:
        """Which component rows stay."""
        return np.repeat(self.documents, np.diff(self.previous.component_start))

    @cached_property
    def subcomponents(self) -> Mask:
        """Which subcomponent rows stay."""
        return np.repeat(self.components, np.diff(self.previous.subcomponent_start))

    @property
    def kept(self) -> Mapping[str, Mask]:
        """Which rows of each layer stay, by name."""
        return {"documents": self.documents, "components": self.components, "subcomponents": self.subcomponents}


def difference_to(connection: Connection, previous: Generation | None) -> Difference | None:
    """Compare the stored documents with a generation; None where too little can be reused."""
    if previous is None or not len(previous.documents):
        return None
    stored = np.fromiter(connection.execute(select(documents.c.key).order_by(documents.c.key)).scalars(), np.int64)
    layers = (previous.documents, previous.components, previous.subcomponents)
    last = max(int(layer.keys[-1]) for layer in layers if len(layer))
    stay = np.isin(previous.documents.keys, stored, assume_unique=True)
    new = stored[~np.isin(stored, previous.documents.keys, assume_unique=True)]
    if np.count_nonzero(stay) < _WORTH_WHILE * max(len(stored), len(stay)) or np.any(new <= last):
        return None
    return Difference(previous, stay, last)
