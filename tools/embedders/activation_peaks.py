"""Measure the peak of each channel of an encoder's activations on a few built-in texts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from backtrail.tools.embedders.onnx_session import open_session

# Short and long, words and figures. Some channels are large in every text, above all at the first and last token of
# short ones; more texts do not change them.
CALIBRATION_TEXTS = (
    "x",
    "Paris",
    "the",
    "?",
    "( )",
    "music",
    "12, 1999.",
    "A bridge over the river.",
    "Who directed the film in which the singer appeared?",
    "The stadium opened in 1923 and seats 45,000 people; it was rebuilt after a fire.",
    "Rank | Nation | Gold | Silver | Bronze | 1 | Norway | 14 | 14 | 11",
    "Photosynthesis turns light, water and carbon dioxide into sugar and oxygen.",
)


def activation_peaks(
    graph: bytes, values: Sequence[str], token_ids: Sequence[Sequence[int]]
) -> dict[str, NDArray[np.float32]]:
    """Return the largest magnitude of each channel [d] over all tokens, per named output of the graph.

    Args:
        graph: has inputs ``ids`` and ``mask``, and outputs ``values``, [batch, sequence, d].
        token_ids: the texts' token ids, special tokens included.
    """
    session = open_session(graph)
    peaks: dict[str, NDArray[np.float32]] = {}
    for ids in token_ids:
        row = np.asarray([ids], dtype=np.int32)
        outputs = session.run(list(values), {"ids": row, "mask": np.ones_like(row)})
        for name, output in zip(values, outputs, strict=True):
            highest = np.abs(np.asarray(output)).max(axis=(0, 1))
            peaks[name] = np.maximum(peaks.get(name, 0), highest)
    return peaks
