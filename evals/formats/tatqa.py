"""TAT-QA (Zhu et al., ACL 2021; CC BY 4.0): questions over a table of a financial report and paragraphs around it.

File ``dataset_raw/tatqa_dataset_SPLIT.json`` (of test, the one with answers). One context:

    {"table": {"uid": "3ffd…", "table": [["", "2019", "2018"], ["Other", "44.1", "56.7"]]},
     "paragraphs": [{"uid": "f4ac…", "order": 1, "text": "Sales by Contract Type: …"}],
     "questions": [{"uid": "eb78…", "question": "What is the change in Other in 2019 from 2018?", "answer": -12.6,
                    "derivation": "44.1-56.7", "answer_type": "arithmetic", "answer_from": "table-text",
                    "rel_paragraphs": ["2"], "scale": "million"}]}

Each context is one document: its table, then its paragraphs. The corpus is all contexts of the split. Order of the
questions and splits ``NAME.given`` are as in WikiTableQuestions. Ours: the header of a table is its leading rows
without a label, and the rows behind a number of the derivation are those that show it.
"""

from __future__ import annotations

import re
from itertools import zip_longest
from pathlib import Path
from typing import Any

from backtrail.evals.formats.bundle_writer import BundleWriter
from backtrail.evals.formats.hash_order import GIVEN, hash_order
from backtrail.evals.formats.lines import field, found, read_json
from backtrail.tools.tables.cell_values import quantity

_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_TITLE_CHARACTERS = 80


def write_tatqa(source: Path, writer: BundleWriter, split: str) -> None:
    """Write contexts and questions of a split (train, dev, test).

    Raises:
        FormatError: the file is missing, or a context or question lacks a field.
    """
    name = {"val": "dev", "test": "test_gold"}.get(split.removesuffix(GIVEN), split.removesuffix(GIVEN))
    file = found(source, f"dataset_raw/tatqa_dataset_{name}.json", f"tatqa_dataset_{name}.json")
    asked = [
        question
        for context in read_json(file)
        for question in _write_context(context, writer, file, within=split.endswith(GIVEN))
    ]
    for question in hash_order(asked, lambda one: one["id"]):
        writer.question(question)


def _write_context(context: dict[str, Any], writer: BundleWriter, file: Path, *, within: bool) -> list[dict[str, Any]]:
    """Write a table with its paragraphs; return its questions."""
    table = field(context, "table", file, None)
    document = f"report:{field(table, 'uid', file, None)}"
    paragraphs = sorted(field(context, "paragraphs", file, None), key=lambda one: int(field(one, "order", file, None)))
    writer.document(document, _title(paragraphs))
    content = _table(field(table, "table", file, None))
    writer.table(f"{document}#table", document, content)
    for paragraph in paragraphs:
        order, text = int(paragraph["order"]), str(field(paragraph, "text", file, None)).strip()
        if text:
            writer.text(f"{document}#{order}", document, text, position=order)
    asked, rows = field(context, "questions", file, None), content["rows"]
    return [_question(row, document, rows, writer, file, within=within) for row in asked]


def _question(
    row: dict[str, Any], document: str, rows: list[list[str]], writer: BundleWriter, file: Path, *, within: bool
) -> dict[str, Any]:
    answer, kind = field(row, "answer", file, None), str(field(row, "answer_type", file, None))
    values = [str(value) for value in (answer if isinstance(answer, list) else [answer])]
    scale, origin = str(row.get("scale") or ""), str(row.get("answer_from", ""))
    named = [f"{document}#{order}" for order in row.get("rel_paragraphs", [])]
    gold = [f"{document}#table"] if "table" in origin else []
    gold += [one for one in named if writer.has(one)] if "text" in origin else []
    return {
        "id": str(field(row, "uid", file, None)),
        "question": str(field(row, "question", file, None)),
        "image": None,
        "answers": [f"{'; '.join(values)} {scale}".strip()],
        "gold": [[one] for one in gold],
        "documents": [document] if within else [],
        "hops": len(gold),
        "tags": {
            "answer_list": values,
            "scale": scale,
            "type": kind,
            "answer_from": origin,
            **({"table_rows": len(rows)} if "table" in origin else {}),
            "source_rows": source_rows(str(row.get("derivation", "")), rows) if kind == "arithmetic" else [],
        },
    }


def source_rows(derivation: str, rows: list[list[str]]) -> list[list[int]]:
    """Return the 0-based rows that show each number of a derivation; numbers outside the table are left out.

    One digit and 100 are left out: they are counts and factors.
    """
    shown: dict[float, list[int]] = {}
    for number, row in enumerate(rows):
        for cell in row:
            if read := quantity(cell):
                shown.setdefault(abs(read.number), []).append(number)
    wanted = [one.rstrip(",") for one in _NUMBER.findall(derivation)]
    values = dict.fromkeys(float(one.replace(",", "")) for one in wanted if len(one) > 1 and one != "100")
    return [list(dict.fromkeys(shown[value])) for value in values if value in shown]


def _table(grid: list[list[str]]) -> dict[str, Any]:
    """Return a table with its leading rows without a label as header; one with a single text is the caption."""
    leading = next((number for number, row in enumerate(grid) if row and row[0].strip()), 1)
    heads, rows = grid[: leading or 1], grid[leading or 1 :]
    filled = [sum(bool(cell.strip()) for cell in row) for row in heads]
    *upper, last = [row for row, cells in zip(heads, filled, strict=True) if cells > 1] or [[]]
    columns = zip_longest(*map(_spanning, upper), last, fillvalue="")
    header = [" / ".join(dict.fromkeys(name.strip() for name in names if name.strip())) for names in columns]
    caption = "; ".join(" ".join(row).strip() for row, cells in zip(heads, filled, strict=True) if cells == 1)
    return {"caption": caption, "header": header, "rows": rows}


def _spanning(row: list[str]) -> list[str]:
    """Repeat a name over the empty cells to its right: it spans their columns."""
    names: list[str] = []
    for cell in row:
        names.append(cell if cell.strip() or not names else names[-1])
    return names


def _title(paragraphs: list[dict[str, Any]]) -> str:
    """Return the beginning of the first paragraph: contexts have no titles."""
    first = " ".join(str(paragraphs[0].get("text", "")).split()) if paragraphs else ""
    return first if len(first) <= _TITLE_CHARACTERS else first[:_TITLE_CHARACTERS].rsplit(" ", 1)[0] + " …"
