"""Check that the pictures of a corpus are described in words, for methods that need it."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import Connection, select

from backtrail.tools.corpus.errors import PicturesUntold
from backtrail.tools.corpus.listing import read_only
from backtrail.tools.corpus.tables import schema


def require_described_pictures(name: str) -> None:
    """What pictures show has to stand in words somewhere (T_v of HM-RAG).

    Raises:
        CorpusNotFound: no such corpus.
        PicturesUntold: it has pictures, and of none is more said than the text before it says.
    """
    with read_only(name) as connection:
        held, source = _untold(connection), connection.execute(select(schema.documents.c.source).limit(1)).scalar()
    if held:
        raise PicturesUntold(name, held, str(source or ""))


def _untold(connection: Connection) -> int:
    """How many pictures there are, if none is told in words; else 0."""
    table, held, before = schema.components, 0, ""
    ordered = select(table.c.modality, table.c.content).order_by(table.c.document_key, table.c.position)
    for row in connection.execute(ordered.execution_options(yield_per=1_000)):
        content = json.loads(row.content)
        if row.modality != "image":
            before = str(content.get("text") or "")
        elif _is_told(content.get("image") or {}, before):
            return 0
        else:
            held += 1
    return held


def _is_told(picture: dict[str, Any], before: str) -> bool:
    """A caption that repeats the text before it (of a post, say) tells of the text and not of the picture."""
    own = picture.get("caption") if picture.get("caption") != before else ""
    return any((own, picture.get("alt"), picture.get("recognized"), picture.get("objects")))
