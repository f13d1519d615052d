"""Computations as evidence: a text for readers, and citations of exactly the rows that the result rests on."""

from __future__ import annotations

from collections.abc import Mapping

from backtrail.nodes.reading.component_views import clip, locator
from backtrail.state.answer import Citation
from backtrail.state.answer_decisions import EvidenceText
from backtrail.state.component import Component, Document
from backtrail.state.computation import Computation, RowRanges
from backtrail.tools.web.contents import ContentsReader

COMPUTATION = "computation"
QUOTED_ROWS = 5
QUOTE_CHARACTERS = 300
NAME_CHARACTERS = 80


def computed_text(key: str, computation: Computation) -> EvidenceText:
    """Return a computation as a reader sees it: its result first, then how it came about."""
    counts = f"{computation['selected']} of {computation['examined']} rows were selected"
    if computation["unreadable"]:
        counts += f"; in {computation['unreadable']} rows a value that the query uses could not be read"
    labels = [f"Among them: {'; '.join(computation['labels'])}"] if computation["labels"] else []
    named = "; ".join(computation.get("others", []))
    others = [f"Other tables fit as well and were not read: {named}"] if named else []
    return EvidenceText(
        id=key,
        modality=COMPUTATION,
        title=computation["question"],
        sentences=[
            f"{computation['operation']}: {computation['result']}",
            f"{counts}.",
            *labels,
            *others,
            f"Query: {computation['query']}",
        ],
        score=1.0,
    )


def computed_rows(contents: ContentsReader, computations: Mapping[str, Computation]) -> dict[str, Component]:
    """Return the tables that computations have rows of, by id. Reads the corpus (blocking)."""
    wanted = [rows["component"] for one in computations.values() for rows in _sources(one)]
    return contents.components(wanted) if wanted else {}


def computation_citations(
    computation: Computation, components: Mapping[str, Component], documents: Mapping[str, Document]
) -> list[Citation]:
    """Return a citation for each table that the result has rows of. Tables that are gone are left out.

    A count of zero cites the tables that were searched, without rows.
    """
    return [
        _citation(rows, components[rows["component"]], documents)
        for rows in _sources(computation)
        if rows["component"] in components
    ]


def _sources(computation: Computation) -> list[RowRanges]:
    return computation["rows"] or [{"component": table, "ranges": []} for table in computation["tables"]]


def _citation(rows: RowRanges, component: Component, documents: Mapping[str, Document]) -> Citation:
    document = documents.get(component.document)
    place = locator(component, document, rows["ranges"][0][0] if rows["ranges"] else None)
    if rows["ranges"]:
        place["rows"] = [list(ends) for ends in rows["ranges"]]
    if rows["ranges"] and (first := component.locator.first_row) is not None:
        place["source_rows"] = [[first + low, first + high] for low, high in rows["ranges"]]
    if component.table is not None and (columns := rows.get("columns")):
        header = component.table.header
        place["columns"] = columns
        place["column_names"] = [clip(header[one] if one < len(header) else "", NAME_CHARACTERS) for one in columns]
    return {
        "component": component.id,
        "document": component.document,
        "title": document.title if document else component.document,
        "section": component.section,
        "modality": component.modality,
        "locator": place,
        "quote": clip(_quote(rows, component), QUOTE_CHARACTERS),
    }


def _quote(rows: RowRanges, component: Component) -> str:
    """The first rows with the names of their columns, one per line."""
    table = component.table
    if table is None:
        return ""
    if not rows["ranges"]:
        return table.caption or "; ".join(table.header)
    numbers = [number for low, high in rows["ranges"] for number in range(low, high + 1)]
    lines = [
        "; ".join(
            f"{head}: {cell}" if head else cell for head, cell in zip(table.header, table.rows[number], strict=False)
        )
        for number in numbers[:QUOTED_ROWS]
        if number < len(table.rows)
    ]
    more = len(numbers) - len(lines)
    return "\n".join([*lines, f"and {more} more rows"] if more > 0 else lines)
