"""Find radii from a corpus's own pairs: texts that belong together, and texts that do not.

Near pairs: a piece of a component as a query against the piece that follows it, and against its component.
Random pairs: the same queries against pieces elsewhere. Queries are embedded as a run embeds them, without
the title that stored pieces carry. For pictures: the words about a picture against its pixels, and against
the pixels of others; where nobody sees, pictures are texts and have the radius of texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from backtrail.state.component import Component, Subcomponent
from backtrail.tools.corpus.protocol import CorpusReader
from backtrail.tools.errors import SettingsError

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
BY_CHANCE = 100
"""Entries that may lie within reach of a query by chance: the larger the corpus, the smaller the radius (ours)."""
MOST_RANDOM = 0.05
"""Share of random pairs within reach in a small corpus, where that would be nearly everything (ours)."""
NEAR_SHARE = 0.95
"""Beyond the distance of so many near pairs nothing is gained (ours)."""
RANDOM_PER_QUERY = 50
LEAST_PAIRS = 20
Distances = NDArray[np.float64]


@dataclass(frozen=True)
class Calibration:
    """Cosine distances of pairs of one kind, with the radius they recommend."""

    near: Distances
    random: Distances
    radius: float

    def quantiles(self, of: Distances) -> list[float]:
        """Distances at ``QUANTILES``."""
        return [round(float(value), 3) for value in np.quantile(of, QUANTILES)]

    def within(self, of: Distances) -> float:
        """Share of pairs within the radius."""
        return float(np.mean(of <= self.radius))


def calibrate_texts(corpus: CorpusReader, sample: Sequence[str], entries: int) -> Calibration:
    """From text and table components of a sample; ``entries`` is how many pieces the corpus holds.

    Raises:
        SettingsError: too few of them have pieces to compare.
    """
    held = {key: pieces for key, pieces in corpus.subcomponents(sample).items() if len(pieces) > 1}
    if len(held) < LEAST_PAIRS:
        raise SettingsError(
            f"Corpus {corpus.name!r} has too few components of several pieces to calibrate from "
            f"({len(held)}, {LEAST_PAIRS} needed). The defaults hold; or set mmapg.text_radius."
        )
    ids = list(held)
    middle = [held[key][(len(held[key]) - 2) // 2] for key in ids]
    following = [held[key][(len(held[key]) - 2) // 2 + 1] for key in ids]
    queries = corpus.embed([piece.text for piece in middle])
    beside = corpus.vectors([piece.id for piece in following], "subcomponent")
    whole = corpus.vectors(ids, "component")
    near = 1.0 - np.concatenate([np.sum(queries * beside, axis=1), np.sum(queries * whole, axis=1)])
    random = _elsewhere(1.0 - queries @ corpus.vectors(_ids(middle), "subcomponent").T)
    return _calibration(np.asarray(near, np.float64), random, entries)


def calibrate_pictures(corpus: CorpusReader, sample: Sequence[str], entries: int) -> Calibration | None:
    """From pictures that have words; None where the corpus does not see, or too few have any.

    ``entries`` is how many pictures the corpus holds.
    """
    if not corpus.sees_pixels:
        return None
    near: list[float] = []
    random: list[float] = []
    for key, component in corpus.components(sample).items():
        words = _words(component)
        scores = {one["id"]: one["score"] for one in corpus.search_pictures(words, 10_000)} if words else {}
        if key in scores:
            near.append(1.0 - scores.pop(key))
            random += [1.0 - score for score in list(scores.values())[:: max(1, len(scores) // RANDOM_PER_QUERY)]]
    if len(near) < LEAST_PAIRS or not random:
        return None
    return _calibration(np.asarray(near), np.asarray(random), entries)


def _calibration(near: Distances, random: Distances, entries: int) -> Calibration:
    share = min(MOST_RANDOM, BY_CHANCE / max(entries, 1))
    radius = min(float(np.quantile(random, share)), float(np.quantile(near, NEAR_SHARE)))
    return Calibration(near, random, round(radius, 3))


def _elsewhere(distances: NDArray[np.floating]) -> Distances:
    """Distances of queries to pieces of other components: spread evenly, never the own one."""
    count = len(distances)
    step = max(1, (count - 1) // RANDOM_PER_QUERY)
    shifts = range(1, count, step)
    rows = np.arange(count)
    return np.concatenate([np.asarray(distances[rows, (rows + shift) % count], np.float64) for shift in shifts])


def _ids(pieces: Sequence[Subcomponent]) -> list[str]:
    return [piece.id for piece in pieces]


def _words(component: Component) -> str:
    picture = component.image
    return " ".join(part for part in (picture.title, picture.caption or picture.alt) if part) if picture else ""
