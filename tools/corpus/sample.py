"""Sample titles of a corpus, to describe its subject. Reads only the sampled documents."""

from __future__ import annotations

from sqlalchemy import func, select

from backtrail.tools.corpus.listing import read_only
from backtrail.tools.corpus.tables import schema


def sampled_titles(name: str, most: int) -> list[str]:
    """Distinct titles of documents, evenly sampled in the order of their ids; deterministic.

    Raises:
        CorpusNotFound: no such corpus.
    """
    table = schema.documents
    with read_only(name) as connection:
        total = connection.execute(select(func.count()).select_from(table)).scalar_one()
        step = max(1, total // max(1, most))
        numbered = select(table.c.title, func.row_number().over(order_by=table.c.id).label("place")).subquery()
        chosen = (
            select(numbered.c.title).where((numbered.c.place - 1) % step == 0).order_by(numbered.c.place).limit(most)
        )
        return list(dict.fromkeys(title for title in connection.execute(chosen).scalars() if title.strip()))
