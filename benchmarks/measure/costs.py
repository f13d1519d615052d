"""Measure costs as ratios to a floor measured in the same run. They are times and vary between runs."""

from __future__ import annotations

import asyncio
import statistics
import tempfile
from pathlib import Path

import ingest_speed
import overhead

from backtrail.evals.task import shipped_file
from measure.measured import Measured

TIMES = "times"
_HOPS = 10
_REPEAT = 7


def measure_costs(found: Measured) -> None:
    """Measure a super-step of FiF over a bare loop's, and an ingest of the demo over embedding its texts."""
    with tempfile.TemporaryDirectory() as folder:
        ours, floor, _, _ = asyncio.run(overhead.measure(_HOPS, _REPEAT, Path(folder)))
    ingest_to_floor, again_to_ingest = ingest_speed.ratios(shipped_file("examples", "corpus")())
    found.numbers[TIMES] = {
        "super-step of fif / of a bare loop": round(statistics.median(ours) / statistics.median(floor), 2),
        "ingest of the demo / embedding alone": round(ingest_to_floor, 2),
        "second ingest of the demo / first": round(again_to_ingest, 3),
    }
