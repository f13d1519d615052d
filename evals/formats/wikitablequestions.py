"""WikiTableQuestions (Pasupat and Liang, ACL 2015; CC BY-SA 4.0): questions over tables of Wikipedia.

Files ``data/SPLIT.tsv``, ``csv/*-csv/*.tsv`` and, for titles, ``page/*-page/*.json``. One row of ``training.tsv``:

    nt-0<TAB>what was the last year where this team was a part of the usl a-league?<TAB>csv/204-csv/590.csv<TAB>2004

The corpus is every table in the folder, so a folder with fewer tables gives a smaller corpus. Questions whose table is
missing are left out and listed in ``missing.jsonl``. They come in the order of the sha1 of their ids: the first N are a
sample that does not depend on how many are taken. A split ``NAME.given`` searches only the question's own table, as the
official evaluation does; else all tables are searched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from csv import QUOTE_NONE, DictReader
from pathlib import Path
from typing import Any

from backtrail.evals.errors import FormatError
from backtrail.evals.formats.bundle_writer import BundleWriter
from backtrail.evals.formats.hash_order import GIVEN, hash_order
from backtrail.evals.formats.lines import found, read_json

SPLITS = {"train": "training", "test": "pristine-unseen-tables", "dev": "random-split-1-dev"}
_TABLE = re.compile(r"csv/(\d+)-csv/(\d+)\.csv")
_ESCAPED = re.compile(r"\\(.)")


def write_wikitablequestions(source: Path, writer: BundleWriter, split: str) -> None:
    """Write tables and questions of a split: train, dev, test, or the name of a file of ``data/``.

    Raises:
        FormatError: a file is missing, a line is malformed, or the table of no question is there.
    """
    name = split.removesuffix(GIVEN)
    file = found(source, f"data/{SPLITS.get(name, name)}.tsv")
    sizes = dict(_write_tables(source, writer))
    for row in hash_order(_rows(file), lambda row: row["id"]):
        table = _table(row["context"], file)
        if table in sizes:
            writer.question(_question(row, table, sizes[table], within=split.endswith(GIVEN)))
        else:
            writer.missing({"question": row["id"], "table": row["context"], "why": "is not in the release"})
    if not writer.counts["questions"]:
        raise FormatError(file, None, f"names only tables that are not in {source / 'csv'}; add the folder csv/")


def _write_tables(source: Path, writer: BundleWriter) -> Iterator[tuple[str, int]]:
    """Write every table of the release; yield its component with its number of rows."""
    for file in sorted(source.glob("csv/*-csv/*.tsv")):
        table = _table(file.relative_to(source).with_suffix(".csv").as_posix(), file)
        header, *rows = [[_unescaped(cell) for cell in line.split("\t")] for line in _lines(file)]
        page = source / "page" / file.parent.name.replace("csv", "page") / f"{file.stem}.json"
        about = read_json(page) if page.is_file() else {}
        title = str(about.get("title") or table)
        writer.document(table, title, str(about.get("url") or ""))
        writer.table(table, table, {"caption": title, "header": header, "rows": rows})
        yield table, len(rows)


def _rows(file: Path) -> list[dict[str, str]]:
    rows = list(DictReader(_lines(file), delimiter="\t", quoting=QUOTE_NONE))
    for number, row in enumerate(rows, start=2):
        for column in ("id", "utterance", "context", "targetValue"):
            if row.get(column) is None:
                raise FormatError(file, number, f"lacks the field {column!r}")
    return rows


def _question(row: dict[str, str], table: str, size: int, *, within: bool) -> dict[str, Any]:
    values = [_unescaped(value) for value in row["targetValue"].split("|")]
    return {
        "id": row["id"],
        "question": _unescaped(row["utterance"]),
        "image": None,
        "answers": ["; ".join(values)],
        "gold": [[table]],
        "documents": [table] if within else [],
        "hops": 1,
        "tags": {"answer_list": values, "table_rows": size},
    }


def _table(context: str, file: Path) -> str:
    match = _TABLE.fullmatch(context)
    if match is None:
        raise FormatError(file, None, f"names the table {context!r}; csv/NUMBER-csv/NUMBER.csv is expected")
    return f"table:{match[1]}-{match[2]}"


def _lines(file: Path) -> list[str]:
    try:
        lines = [line for line in file.read_text(encoding="utf-8").split("\n") if line]
    except (OSError, UnicodeDecodeError) as error:
        raise FormatError(file, None, f"cannot be read ({error})") from error
    if not lines:
        raise FormatError(file, None, "is empty")
    return lines


def _unescaped(text: str) -> str:
    """Undo the escapes of the release: a newline, a vertical bar and a backslash."""
    return _ESCAPED.sub(lambda match: {"n": "\n", "p": "|"}.get(match[1], match[1]), text)
