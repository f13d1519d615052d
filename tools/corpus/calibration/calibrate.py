"""Calibrate radii from pairs of a corpus: texts that belong together, and random ones.

Near pairs: a subcomponent as a query against the next one, and against its component. Random pairs: the same queries
against subcomponents of other components. Queries are embedded as in a run, without the title that stored texts have.
For pictures: the caption against its own pixels, and against those of others. Without an embedder of pictures, pictures
are texts and use the radius of texts.
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
"""Entries within the radius of a query by chance: the larger the corpus, the smaller the radius (ours)."""
MOST_RANDOM = 0.05
"""Limit of the share of random pairs within the radius, for small corpora (ours)."""
NEAR_SHARE = 0.95
"""Quantile of the near distances that bounds the radius (ours)."""
RANDOM_PER_QUERY = 50
LEAST_PAIRS = 20
Distances = NDArray[np.float64]


@dataclass(frozen=True)
class Calibration:
    """Cosine distances of near and random pairs, with the radius derived from them."""

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
    """Calibrate on texts and tables of a sample; ``entries`` is the corpus's number of subcomponents.

    Raises:
        SettingsError: too few components have several subcomponents.
    """
    divided = {key: pieces for key, pieces in corpus.subcomponents(sample).items() if len(pieces) > 1}
    if len(divided) < LEAST_PAIRS:
        raise SettingsError(
            f"Corpus {corpus.name!r} has too few components with several sentences or rows to calibrate on "
            f"({len(divided)}, {LEAST_PAIRS} needed). The default stays in use; or set mmapg.text_radius."
        )
    ids = list(divided)
    middle = [divided[key][(len(divided[key]) - 2) // 2] for key in ids]
    following = [divided[key][(len(divided[key]) - 2) // 2 + 1] for key in ids]
    queries = corpus.embed([piece.text for piece in middle])
    beside = corpus.vectors([piece.id for piece in following], "subcomponent")
    whole = corpus.vectors(ids, "component")
    near = 1.0 - np.concatenate([np.sum(queries * beside, axis=1), np.sum(queries * whole, axis=1)])
    random = _elsewhere(1.0 - queries @ corpus.vectors(_ids(middle), "subcomponent").T)
    return _calibration(np.asarray(near, np.float64), random, entries)


def calibrate_pictures(corpus: CorpusReader, sample: Sequence[str], entries: int) -> Calibration | None:
    """Calibrate on captioned pictures; None without picture vectors, or with too few captions.

    ``entries`` is the corpus's number of pictures.
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
    """Distances of queries to subcomponents of other components, evenly sampled."""
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
