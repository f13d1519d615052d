"""Empty cells of an answer's table: the searches of the run that were made for them, by the record."""

from __future__ import annotations

from collections.abc import Sequence

from backtrail.language.terms import content_terms
from backtrail.nodes.reading.component_views import clip
from backtrail.state.answer import Answer
from backtrail.state.answer_structure import Cell
from backtrail.state.hop import Hop

SEARCHES_NAMED = 3
SEARCH_CHARACTERS = 200


def with_searches(reply: Answer, hops: Sequence[Hop]) -> Answer:
    """Name for each empty cell the searches that share most words with its row and column, else the first one."""
    table = reply.get("table")
    made = (hop["subquery"] for hop in hops if hop["kind"] not in ("plan", "stop") and hop["outcome"] != "refused")
    texts = list(dict.fromkeys(clip(text, SEARCH_CHARACTERS) for text in made if text))
    if table is None or not texts:
        return reply

    def filled(row: Sequence[Cell], column: str, cell: Cell) -> Cell:
        return cell if cell["text"] else {**cell, "searched": _made_for(f"{row[0]['text']} {column}", texts)}

    rows = [
        [filled(row, column, cell) for column, cell in zip(table["columns"], row, strict=True)] for row in table["rows"]
    ]
    return {**reply, "table": {**table, "rows": rows}}


def _made_for(wanted: str, texts: Sequence[str]) -> list[str]:
    terms = content_terms(wanted)
    shared = {text: len(content_terms(text) & terms) for text in texts}
    best = sorted((text for text in texts if shared[text]), key=lambda text: -shared[text])
    return best[:SEARCHES_NAMED] or [texts[0]]
