"""Measure ingestion fidelity: what parsers keep of known documents and of pages of real sites."""

from __future__ import annotations

import importlib.util
import tempfile
from collections.abc import Mapping
from pathlib import Path

from fidelity.scores import MEASURES, score
from fidelity.source import known_documents
from office_fidelity import WRITERS, read, written
from site_fidelity import NAMES, count

from backtrail.evals.task import data_file
from benchmarks.pdf_fidelity import layouts
from measure.measured import Measured, Table
from measure.skipped import Skipped

INGEST = "ingest"
LOSSES = frozenset(
    {"titled by their file", "raw tables", "marks", "pictures refused", "dead links", "missed places", "left out"}
)
_WIDE_FONT = Path("/usr/share/fonts/truetype/wqy/wqy-microhei.ttc")


def measure_written(found: Measured) -> None:
    """Measure eight known documents in each format: shares of their contents, by document."""
    known = known_documents()
    for ending in WRITERS:
        table = Table(ids=[one.name for one in known])
        with tempfile.TemporaryDirectory() as folder:
            files = written(ending, Path(folder))
            scores = [score(one, read(files[one.name])) for one in known]
        for measure in MEASURES:
            table.add(INGEST, measure, (_share(one[measure]) for one in scores))
        found.tables[f"fidelity{ending}"] = table


def measure_drawn(found: Measured) -> None:
    """Measure PDF files of the drawn layouts, except those whose fonts or libraries are not installed."""
    if importlib.util.find_spec("reportlab") is None:
        raise Skipped("reportlab draws the pages: pip install reportlab")
    from benchmarks.pdf_fidelity.__main__ import draw
    from benchmarks.pdf_fidelity.measures import MEASURES as DRAWN
    from benchmarks.pdf_fidelity.measures import Shares, shares
    from benchmarks.pdf_fidelity.parsers import backtrail

    lacking = _lacking()
    for name, needs in lacking.items():
        found.skipped[f"fidelity.pdf {name}"] = needs
    drawable = [layout for layout in layouts.LAYOUTS if layout.__name__ not in lacking]
    with tempfile.TemporaryDirectory() as folder:
        read_: Mapping[str, Shares] = {
            path.stem: shares(truth, backtrail(path)) for path, truth in draw(Path(folder), drawable).items()
        }
    table = Table(ids=list(read_))
    for measure in DRAWN:
        table.add(INGEST, measure, (one[measure] for one in read_.values()))
    found.tables["fidelity.pdf"] = table


def measure_sites(found: Measured) -> None:
    """Count the contents of pages of real sites."""
    for part in ("docs-site", "web"):
        folder = data_file("wild", part)()
        if not folder.is_dir():
            raise Skipped(f"there is no {folder}. Set BACKTRAIL_DATA to the folder that holds wild/.")
        counts, left_out = count(folder)
        found.numbers[f"pages of wild/{part}"] = {
            **{name: counts[name] for name in NAMES}, "left out": left_out.total(),
        }  # fmt: skip


def _lacking() -> dict[str, str]:
    """Return the layouts that cannot be drawn here, with what to install."""
    lacking: dict[str, str] = {}
    if not all(importlib.util.find_spec(name) for name in ("bidi", "arabic_reshaper")):
        lacking[layouts.right_to_left.__name__] = "pip install python-bidi arabic-reshaper"
    if not _WIDE_FONT.exists():
        lacking[layouts.cjk.__name__] = "apt-get install fonts-wqy-microhei"
    return lacking


def _share(counted: tuple[int, int]) -> float | None:
    right, of = counted
    return right / of if of else None
