"""Truncation of a component's text that keeps the decisive row or sentence.

A long table keeps its best rows and a long text its best sentences, whole and in order; a note tells how many were left
out, and how they were selected.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from backtrail.nodes.graph_traversal.coverage import Covering
from backtrail.nodes.graph_traversal.select_pieces import (
    FAINT,
    LEAST,
    NEAREST,
    best_within,
    piece_scores,
    with_announced,
)
from backtrail.nodes.reading.component_views import MOST_CHARACTERS, clip, component_text, whole_text
from backtrail.state.component import Component, Table

NOTE_CHARACTERS = 90
ROW_CHARACTERS = 1_200


def numbered(table: Table, row: int) -> str:
    """Return a row with its number."""
    return f"{row}: " + " | ".join(table.rows[row])


def truncate_component(
    covering: Covering, component: Component, characters: int, line: Callable[[Table, int], str] = numbered
) -> str:
    """Return a component as plain text of at most ``characters``. May read the corpus (blocking).

    Args:
        covering: of the text that pieces are selected by.
        line: formats a row of a table.
    """
    table = component.table
    if table is None:
        whole = component_text(component, MOST_CHARACTERS)
        return whole if len(whole) <= characters else _sentences(covering, component, characters)
    lines = [clip(line(table, row), ROW_CHARACTERS) for row in range(len(table.rows))]
    head = [table.caption, " | ".join(table.header)] if line is numbered else [table.caption] if table.caption else []
    if sum(len(one) + 1 for one in (*head, *lines)) <= characters:
        return "\n".join((*head, *lines))
    head = [clip(one, characters // 4) for one in head]
    scores = _scores(covering, component)
    fits = any(score > 0 for score in scores)
    # Rows without a shared word come last, in order: the relevant row may be described, not named.
    scores = [score + FAINT for score in scores]
    room = characters - NOTE_CHARACTERS - sum(len(one) + 1 for one in head)
    shown = best_within(scores, [len(one) + 1 for one in lines], room)
    chosen = "those that fit best" if fits else "the first; none fits by its words"
    note = f"({len(lines)} rows in all; shown are {len(shown)}: {chosen})"
    return clip("\n".join((*head, *(lines[row] for row in shown), note)), characters)


def _sentences(covering: Covering, component: Component, characters: int) -> str:
    """Return the first sentence, which introduces the text, and the best ones."""
    sentences = whole_text(component, None, 0.0).sentences
    scores = _scores(covering, component)
    floor = LEAST * max(scores, default=0.0)
    scores = [max(score, floor) if number == 0 else score for number, score in enumerate(scores)]
    scores = [score + FAINT for score in scores]
    shown = best_within(scores, [len(one) + 2 for one in sentences], characters - NOTE_CHARACTERS)
    shown = with_announced(shown, sentences)
    parts: list[str] = []
    for place, number in enumerate(shown):
        gap = number > (shown[place - 1] + 1 if place else 0)
        parts.append(f"… {sentences[number]}" if gap else sentences[number])
    note = f"({len(sentences) - len(shown)} of {len(sentences)} sentences left out)"
    return clip(" ".join((*parts, note)), characters)


def _scores(covering: Covering, component: Component) -> Sequence[float]:
    """Score each row or sentence by words and by vector."""
    scores = piece_scores(covering, component, whole_text(component, None, 0.0))
    nearest = covering.nearest_pieces([component.id]).get(component.id)
    return [score + (NEAREST if number == nearest else 0.0) for number, score in enumerate(scores)]
