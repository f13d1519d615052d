"""Sample the components of a corpus, evenly and deterministically."""

from __future__ import annotations

from sqlalchemy import select

from backtrail.state.component import Modality
from backtrail.tools.corpus.listing import read_only
from backtrail.tools.corpus.tables import schema


def sample_components(name: str, count: int, modalities: tuple[Modality, ...]) -> list[str]:
    """Ids of at most ``count`` components of these modalities, in reading order.

    Raises:
        CorpusNotFound: no such corpus; the message lists those that exist.
    """
    table = schema.components
    wanted = select(table.c.id).where(table.c.modality.in_(modalities)).order_by(table.c.key)
    with read_only(name) as connection:
        ids = list(connection.execute(wanted).scalars())
    if len(ids) <= count:
        return ids
    return [ids[place * len(ids) // count] for place in range(count)]
