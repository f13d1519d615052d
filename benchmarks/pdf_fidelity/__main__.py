"""Compare PDF parsers on pages with known words, tables, headings, captions, pictures and links.

    apt-get install fonts-dejavu-core fonts-wqy-microhei                # to draw
    pip install reportlab python-bidi arabic-reshaper
    pip install pypdf docling-parse pdftext pdf-oxide       # parsers to compare
    python -m benchmarks.pdf_fidelity [--each] [PARSER…]

Draws seventeen layouts, runs each parser on them and prints the mean shares (see measures.py) and the seconds. --each
prints every layout. Parsers that are not installed are left out; content that a parser does not offer counts as 0.
"""

from __future__ import annotations

import argparse
import importlib.util
import logging
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.pdf_fidelity.layouts import LAYOUTS, Layout
from benchmarks.pdf_fidelity.measures import MEASURES, Tally, shares
from benchmarks.pdf_fidelity.parsers import PARSERS
from benchmarks.pdf_fidelity.sheet import Sheet, Truth

_MODULES = {
    "pdfminer.six": "pdfminer",
    "docling-parse": "docling_parse",
    "pdf-oxide": "pdf_oxide",
}


def main() -> None:
    """Draw and read the layouts, and print a table."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("parsers", nargs="*", help="by default all that are installed")
    arguments.add_argument("--each", action="store_true", help="print every layout")
    options = arguments.parse_args()
    logging.disable(logging.WARNING)
    with tempfile.TemporaryDirectory() as folder:
        drawn = draw(Path(folder))
        print("| parser | " + " | ".join(MEASURES) + " | s |\n|---|" + "--:|" * (len(MEASURES) + 1))
        for name in options.parsers or PARSERS:
            if importlib.util.find_spec(_MODULES.get(name, name)):
                _print(name, drawn, each=options.each)


def draw(folder: Path, layouts: Sequence[Layout] = LAYOUTS) -> dict[Path, Truth]:
    """Draw layouts as files; return each with its known contents."""
    drawn: dict[Path, Truth] = {}
    for seed, layout in enumerate(LAYOUTS):
        if layout not in layouts:
            continue
        path = folder / f"{layout.__name__}.pdf"
        sheet = Sheet(path, seed)
        layout(sheet)
        drawn[path] = sheet.save()
    return drawn


def _print(name: str, drawn: dict[Path, Truth], *, each: bool) -> None:
    tally, seconds = Tally(), 0.0
    for path, truth in drawn.items():
        started = time.perf_counter()
        reading = PARSERS[name](path)
        seconds += time.perf_counter() - started
        tally.by_layout[path.stem] = shares(truth, reading)
        if each:
            print(_row(f"{name}: {path.stem}", [tally.by_layout[path.stem][measure] for measure in MEASURES]) + " |")
    print(_row(name, [tally.mean(measure) for measure in MEASURES]) + f" {seconds:.1f} |")


def _row(name: str, numbers: list[float | None]) -> str:
    return f"| {name} | " + " | ".join("" if number is None else f"{number:.3f}" for number in numbers) + " |"


if __name__ == "__main__":
    main()
