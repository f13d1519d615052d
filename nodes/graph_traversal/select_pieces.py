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

LEADS = 2.0
"""Bonus of a piece that leads to another shown component: more than any score, so it is always shown."""
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
PARAGRAPH_CHARACTERS = 1_200
"""Longest paragraph that is shown whole or not at all (ours)."""
MARK_CHARACTERS = 8
"""Characters of quotes and commas around a cell, and of the number before a row or sentence."""


@dataclass(frozen=True)
class Fitted:
    """Numbers of the shown pieces, in order (None: all), and which were left out, in words."""

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
        found[key] = Fitted(shown, f"{word} {_ranges(sorted(set(range(len(scores))) - set(shown)))}")
    return found


def whole_paragraphs(texts: Mapping[str, EvidenceText], characters: int) -> list[str]:
    """Return the first components, as many as leave each short paragraph whole (ours).

    A paragraph without its middle misleads more than one component less, which a further search can find.
    """
    sizes = {key: sum(_sizes(text)) for key, text in texts.items()}
    short = {key for key, text in texts.items() if not text.rows and sizes[key] <= PARAGRAPH_CHARACTERS}
    while len(sizes) > 1:
        shares = share_out(sizes, characters)
        if all(shares[key] == sizes[key] for key in short & sizes.keys()):
            break
        sizes.popitem()
    return list(sizes)


def _ranges(numbers: Sequence[int]) -> str:
    """Return ascending numbers in words: "7, 9, 13-40"."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1] = [runs[-1][0], number]
        else:
            runs.append([number])
    return ", ".join("-".join(map(str, run)) for run in runs)


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

    A row whose answer is only on the linked page covers little alone, but leads there. A cell that the text says in
    full counts again: each of its words may be in many rows, as in ``server.http.port``.
    """
    if component.table is None:
        return [covering.cover(content_terms(sentence, covering.language)) for sentence in text.sentences]
    behind: dict[int, list[str]] = {}
    for link in component.links:
        if link.kind == "internal" and link.row is not None:
            behind.setdefault(link.row, []).append(link.target)
    terms = covering.corpus.document_terms(list({target: None for found in behind.values() for target in found}))
    said = covering.text.casefold()
    scores: list[float] = []
    for row in range(len(text.rows)):
        own = covering.piece(component, {"parent": component.id, "row": row, "anchor": ""})
        pages = [terms[target] for target in behind.get(row, []) if target in terms]
        named = [content_terms(cell, covering.language) for cell in text.rows[row] if cell.casefold() in said]
        whole = max((covering.cover(cell) for cell in named if cell <= covering.wanted), default=0.0)
        scores.append(max([covering.cover(own), *(covering.cover(own | page) for page in pages)]) + whole)
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
