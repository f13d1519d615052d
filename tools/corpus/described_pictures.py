"""Check that the pictures of a corpus are described in words, for methods that need it."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import Connection, select

from backtrail.tools.corpus.errors import PicturesUndescribed
from backtrail.tools.corpus.listing import read_only
from backtrail.tools.corpus.tables import schema


def require_described_pictures(name: str) -> None:
    """Refuse a corpus whose pictures have no descriptions (T_v of HM-RAG).

    Raises:
        CorpusNotFound: no such corpus.
        PicturesUntold: it has pictures, and none has a text of its own.
    """
    with read_only(name) as connection:
        count, source = (
            _undescribed(connection),
            connection.execute(select(schema.documents.c.source).limit(1)).scalar(),
        )
    if count:
        raise PicturesUndescribed(name, count, str(source or ""))


def _undescribed(connection: Connection) -> int:
    """The number of pictures if none is described, else 0."""
    table, count, before = schema.components, 0, ""
    ordered = select(table.c.modality, table.c.content).order_by(table.c.document_key, table.c.position)
    for row in connection.execute(ordered.execution_options(yield_per=1_000)):
        content = json.loads(row.content)
        if row.modality != "image":
            before = str(content.get("text") or "")
        elif _is_described(content.get("image") or {}, before):
            return 0
        else:
            count += 1
    return count


def _is_described(picture: dict[str, Any], before: str) -> bool:
    """Whether a picture has a text of its own: a caption that repeats the text before it does not count."""
    own = picture.get("caption") if picture.get("caption") != before else ""
    return any((own, picture.get("alt"), picture.get("recognized"), picture.get("objects")))
