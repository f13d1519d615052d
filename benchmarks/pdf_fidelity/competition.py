"""Tables of the ICDAR 2013 competition: recall and precision of pairs of neighboring cells.

    git clone https://github.com/tabulapdf/tabula-java
    python -m benchmarks.pdf_fidelity.competition tabula-java/src/test/resources/technology/tabula/icdar2013-dataset
    pip install pdfplumber camelot-py img2table     # libraries to compare, with --reader

Documents of the European Union and the United States, with hand-annotated table cells (Göbel, Hassan, Oro and Orsi:
ICDAR 2013 Table Competition). The measure is theirs, but per document: two successive cells of a row or column are a
pair, blank cells are skipped, and only letters and digits are compared. Annotations without a file (alternatives) are
left out. Files that cannot be read are named, and count as documents without tables. Readers: see table_libraries.py.
"""

from __future__ import annotations

import argparse
import re
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from xml.etree.ElementTree import Element, parse

from benchmarks.pdf_fidelity.table_libraries import READERS, Grid

Pair = tuple[str, str, bool]


def main() -> None:
    """Read every document, and print the shares."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folder", type=Path, help="with NAME.pdf and NAME-str.xml")
    arguments.add_argument("--each", action="store_true", help="print every document")
    arguments.add_argument("--reader", choices=list(READERS), default="backtrail")
    options = arguments.parse_args()
    started = time.monotonic()
    marked = right = found = 0
    shares: list[float] = []
    for cells in sorted(options.folder.rglob("*-str.xml")):
        pdf = cells.with_name(cells.name.replace("-str.xml", ".pdf"))
        if not pdf.exists():
            continue
        expected = _pairs(_marked_tables(cells))
        found_pairs = _pairs(_found_tables(pdf, READERS[options.reader]))
        hit = len(expected & found_pairs)
        marked, right, found = marked + len(expected), right + hit, found + len(found_pairs)
        shares.append(hit / max(len(expected), 1))
        if options.each:
            print(f"{pdf.name}: {hit} of {len(expected)} found, among {len(found_pairs)}")
    print(f"{len(shares)} documents: recall {right / marked:.3f}, precision {right / max(found, 1):.3f},", end=" ")
    print(f"mean recall of a document {sum(shares) / len(shares):.3f}, {time.monotonic() - started:.0f} s")


def _marked_tables(path: Path) -> Iterator[Grid]:
    for table in parse(path).getroot().iter("table"):
        slots: dict[tuple[int, int], str] = {}
        for region in table.iter("region"):
            down, across = int(region.get("row-increment") or 0), int(region.get("col-increment") or 0)
            for cell in region.iter("cell"):
                text = _compared("".join(content.text or "" for content in cell.iter("content")))
                for row in _span(cell, "row"):
                    for column in _span(cell, "col"):
                        slots[row + down, column + across] = text
        if slots:
            rows, columns = (max(place) + 1 for place in zip(*slots, strict=True))
            yield [[slots.get((row, column), "") for column in range(columns)] for row in range(rows)]


def _span(cell: Element, side: str) -> range:
    start = int(cell.get(f"start-{side}") or 0)
    return range(start, int(cell.get(f"end-{side}") or start) + 1)


def _found_tables(pdf: Path, read: Callable[[Path], Iterator[Grid]]) -> Iterator[Grid]:
    try:
        for rows in read(pdf):
            yield [[_compared(text) for text in row] for row in rows]
    except Exception as error:  # noqa: BLE001 of any of the libraries
        print(f"{pdf.name}: {type(error).__name__}: {error}")


def _compared(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()


def _pairs(tables: Iterator[Grid]) -> set[Pair]:
    """Return pairs of neighbors; a spanning cell is no neighbor of itself."""
    pairs: set[Pair] = set()
    for rows in tables:
        for lines, downward in ((rows, False), (list(zip(*rows, strict=True)), True)):
            for line in lines:
                texts = [text for text in line if text]
                pairs.update((one, two, downward) for one, two in pairwise(texts) if one != two)
    return pairs


if __name__ == "__main__":
    main()
