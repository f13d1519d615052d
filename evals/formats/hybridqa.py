"""HybridQA (Chen et al., Findings of EMNLP 2020): questions over a Wikipedia table and linked pages.

Files ``released_data/SPLIT.json`` (or ``SPLIT.traced.json``, where the answer was traced), and the repository
WikiTables-WithLinks beside it: ``tables_tok/TABLE.json`` and ``request_tok/TABLE.json``. One row, and its table:

    {"question_id": "00153f694413a536", "question": "What was the …?", "table_id": "Jerry_Lewis_0",
     "answer-text": "Geneva", "where": "passage", "answer-node": [["Geneva", [3, 1], "/wiki/Geneva", "passage"]]}
    {"url": "https://…", "title": "Jerry Lewis", "header": [["Year", []], …],
     "data": [[["1957", []], ["Geneva", ["/wiki/Geneva"]]], …], "section_title": "…"}

The corpus is the tables of all questions of the split, with the pages that they link to. The authors traced answer
nodes by string matching: gold is the table, and any passage that a traced node names.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from backtrail.evals.errors import FormatError
from backtrail.evals.formats.bundle_writer import BundleWriter
from backtrail.evals.formats.lines import field, found, read_json

_LINKED = ("", "WikiTables-WithLinks/", "../WikiTables-WithLinks/")


def write_hybridqa(source: Path, writer: BundleWriter, split: str) -> None:
    """Write tables, linked passages and questions of a split (dev, train; test has no answers).

    Raises:
        FormatError: a file is missing, or a row lacks a field.
    """
    split = "dev" if split == "val" else split
    names = (f"{split}.traced.json", f"{split}.json")
    file = found(source, *(f"released_data/{name}" for name in names), *names)
    for row in read_json(file):
        name = str(field(row, "table_id", file, None))
        if Path(name).name != name:
            raise FormatError(file, None, f"names the table {name!r}, which is no file name")
        table = _write_table(source, writer, name)
        writer.question(_question(row, table, file, writer))


def _write_table(source: Path, writer: BundleWriter, name: str) -> str:
    id_ = f"table:{name}"
    if writer.has(id_):
        return id_
    file = found(source, *(f"{folder}tables_tok/{name}.json" for folder in _LINKED))
    linked = found(source, *(f"{folder}request_tok/{name}.json" for folder in _LINKED))
    table = read_json(file)
    title = str(table.get("title") or name)
    for page, text in read_json(linked).items():
        if str(text).strip() and not writer.has(f"text:{page}"):
            writer.document(page, page.removeprefix("/wiki/").replace("_", " "))
            writer.text(f"text:{page}", page, str(text).strip())
    rows = field(table, "data", file, None)
    links = [
        {"target": str(page), "anchor": str(cell[0]), "row": number, "column": column}
        for number, row in enumerate(rows)
        for column, cell in enumerate(row)
        for page in cell[1]
    ]
    writer.document(id_, title, str(table.get("url") or ""))
    content = {
        "caption": str(table.get("section_title") or title),
        "header": [str(cell[0]) for cell in field(table, "header", file, None)],
        "rows": [[str(cell[0]) for cell in row] for row in rows],
    }
    writer.table(id_, id_, content, links=links)
    return id_


def _question(row: dict[str, Any], table: str, file: Path, writer: BundleWriter) -> dict[str, Any]:
    answer = str(row.get("answer-text") or "")
    nodes = row.get("answer-node") or []
    pages = dict.fromkeys(f"text:{node[2]}" for node in nodes if len(node) > 3 and node[3] == "passage" and node[2])
    passages = [page for page in pages if writer.has(page)]
    gold = [[table], *([passages] if passages else [])] if answer else []
    return {
        "id": str(field(row, "question_id", file, None)),
        "question": str(field(row, "question", file, None)),
        "image": None,
        "answers": [answer] if answer else [],
        "gold": gold,
        "hops": len(gold),
        "tags": {"answer_in": str(row.get("where", ""))},
    }
