"""Count the numeric tables of PDF files that keep their row labels and column heads.

    python benchmarks/pdf_table_labels.py FOLDER

A table is numeric if at least half of the filled cells outside its first column are numbers or marks of missing values;
a sign of currency or percent alone is not counted. It has a label column if in at least two thirds of its rows of
numbers the first cell has letters, is a year or date, or is counted (sums often have no label). It has column heads if
every column with numbers (at least half of its filled cells, and two) has a name, and no name is a number other than a
year, a date or the running number of a column. What the names say is not judged: that is done by eye.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from backtrail.ingest.errors import UnreadableSource
from backtrail.ingest.pdf.elements import body_size, read_elements
from backtrail.ingest.pdf.isolated_reader import read_in_process
from backtrail.ingest.pdf.tables.grid import as_table
from backtrail.ingest.pdf.tables.names import has_heads, has_labels, is_numeric
from backtrail.state.component import Table

_COUNTS = ("numeric", "labels", "heads", "both")


def main() -> None:
    """Read every file of a folder, and print the counts of each and of all."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folder", type=Path)
    total: Counter[str] = Counter()
    print("| file | " + " | ".join(_COUNTS) + " |\n|---|" + "--:|" * len(_COUNTS))
    for path in sorted(arguments.parse_args().folder.glob("*.pdf")):
        try:
            pages = read_in_process(path).pages
        except UnreadableSource as error:
            print(f"{path.name}: {error}")
            continue
        elements = read_elements(pages, body_size(pages))
        counts = count(as_table(one.part.table) for one in elements if one.part.table is not None)
        total += counts
        _print(path.name, counts)
    _print("all", total)


def _print(name: str, counts: Counter[str]) -> None:
    print(f"| {name} | " + " | ".join(str(counts[key]) for key in _COUNTS) + " |", flush=True)


def count(tables: Iterable[Table]) -> Counter[str]:
    """Return how many tables are numeric, and how many of these have labels, heads or both."""
    counts: Counter[str] = Counter()
    for table in tables:
        if is_numeric(table):
            labels, heads = has_labels(table), has_heads(table)
            counts.update({"numeric": 1, "labels": labels, "heads": heads, "both": labels and heads})
    return counts


if __name__ == "__main__":
    main()
