"""Selection of the sentences and rows of components that a prompt shows.

All components share one budget of characters. What one does not need goes to the others; of one that needs more, the
best pieces are shown, with the number left out.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from backtrail.language.terms import content_terms
from backtrail.nodes.graph_traversal.coverage import Covering
from backtrail.state.answer_decisions import EvidenceText
from backtrail.state.component import Component

LEADS = 1.0
"""Bonus of a piece that leads to another shown component: more than any coverage, so it is always shown."""
NEAREST = 0.5
"""Bonus of the piece nearest by vector: paraphrases share no term with the text."""
LEAST = 0.34
"""Share of the best piece's coverage below which a sentence only shares a stray word (ours, by reading prompts)."""
FAINT = 1e-9
LAST_WEIGHT = 0.4
"""Weight of the last component relative to the first when the budget is shared out."""
LEAST_OF_TABLE = 1_600
"""Least characters of every table, even beyond the budget. Of OTT-QA's linking rows 800 cut off one in thirty, 1,200
one in eighty, 1,600 one in two hundred."""
MARK_CHARACTERS = 8
"""Characters of quotes and commas around a cell, and of the number before a row or sentence."""


@dataclass(frozen=True)
class Fitted:
    """Numbers of the shown pieces, in order (None: all), and how many were left out, in words."""

    shown: list[int] | None
    left_out: str


def fitting(
    covering: Covering,
    components: Mapping[str, Component],
    texts: Mapping[str, EvidenceText],
    characters: int,
    leads: Collection[tuple[str, int]] = (),
) -> dict[str, Fitted]:
    """Select the shown pieces of each component within ``characters`` in all. Reads the corpus (blocking).

    Args:
        texts: the components with all their pieces.
        leads: pieces that lead to another shown component, as (component, number).
    """
    nearest = covering.nearest_pieces(list(components))
    sizes = {key: _sizes(text) for key, text in texts.items()}
    shares = share_out({key: sum(own) for key, own in sizes.items()}, characters)
    found: dict[str, Fitted] = {}
    for key, text in texts.items():
        if text.rows:  # the decisive row may share no word with the question
            shares[key] = max(shares[key], min(sum(sizes[key]), LEAST_OF_TABLE))
        if sum(sizes[key]) <= shares[key]:
            found[key] = Fitted(None, "")
            continue
        scores = piece_scores(covering, components[key], text)
        if not text.rows:
            _drop_strays(scores)
        for number in range(len(scores)):
            scores[number] += LEADS if (key, number) in leads else 0.0
            scores[number] += NEAREST if nearest.get(key) == number else 0.0
        shown = best_within(scores, sizes[key], shares[key])
        if not text.rows:
            shown = with_announced(shown, text.sentences)
        if len(shown) == len(scores):
            found[key] = Fitted(None, "")
            continue
        word = "rows" if text.rows else "sentences"
        found[key] = Fitted(shown, f"{len(scores) - len(shown)} of {len(scores)} {word}")
    return found


def with_announced(shown: Sequence[int], sentences: Sequence[str]) -> list[int]:
    """Add the sentence after each that ends in a colon, which is meaningless alone."""
    after = {number + 1 for number in shown if sentences[number].rstrip().endswith((":", "："))}
    return sorted({*shown, *(number for number in after if number < len(sentences))})


def share_out(sizes: Mapping[str, int], characters: int) -> dict[str, int]:
    """Share out a budget, more for the first in order; what one does not need goes to the others."""
    last = max(len(sizes) - 1, 1)
    weights = {key: 1.0 - (1.0 - LAST_WEIGHT) * place / last for place, key in enumerate(sizes)}
    left, shares = characters, dict[str, int]()
    for key in sorted(sizes, key=lambda one: (sizes[one] / weights[one], one)):
        waiting = sum(weights[one] for one in sizes if one not in shares)
        shares[key] = min(sizes[key], int(left * weights[key] / waiting))
        left -= shares[key]
    return shares


def _drop_strays(scores: list[float]) -> None:
    """Set the score of sentences that share only a stray word to 0.

    The first sentence and the one after the best are kept: they introduce and continue it.
    """
    best = max(range(len(scores)), key=lambda number: scores[number])
    floor = LEAST * scores[best]
    for number in range(len(scores)):
        if number in (0, best + 1):
            scores[number] = max(scores[number], floor, FAINT)
        elif scores[number] < floor:
            scores[number] = 0.0


def piece_scores(covering: Covering, component: Component, text: EvidenceText) -> list[float]:
    """Return each row's or sentence's coverage; a row together with a page that one of its cells links to.

    A row whose answer is only on the linked page covers little alone, but leads there.
    """
    if component.table is None:
        return [covering.cover(content_terms(sentence, covering.language)) for sentence in text.sentences]
    behind: dict[int, list[str]] = {}
    for link in component.links:
        if link.kind == "internal" and link.row is not None:
            behind.setdefault(link.row, []).append(link.target)
    terms = covering.corpus.document_terms(list({target: None for found in behind.values() for target in found}))
    scores: list[float] = []
    for row in range(len(text.rows)):
        own = covering.piece(component, {"parent": component.id, "row": row, "anchor": ""})
        pages = [terms[target] for target in behind.get(row, []) if target in terms]
        scores.append(max([covering.cover(own), *(covering.cover(own | page) for page in pages)]))
    return scores


def _sizes(text: EvidenceText) -> list[int]:
    if text.rows:
        return [sum(len(cell) + MARK_CHARACTERS for cell in row) for row in text.rows]
    return [len(sentence) + MARK_CHARACTERS for sentence in text.sentences]


def best_within(scores: Sequence[float], sizes: Sequence[int], characters: int) -> list[int]:
    """Return the numbers of the best pieces that fit, of equals the first; the best is always included."""
    chosen: list[int] = []
    left = characters
    for number in sorted(range(len(scores)), key=lambda one: (-scores[one], one)):
        if not chosen or (sizes[number] <= left and scores[number] > 0.0):
            chosen.append(number)
            left -= sizes[number]
    return sorted(chosen)
