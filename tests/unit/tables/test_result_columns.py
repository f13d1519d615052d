"""The cells that a computation rests on: columns that the query names, and none where that is not clear."""

import re
from typing import Any

import pytest

from backtrail.nodes.compute_tables import carry_out
from backtrail.nodes.reading.citation_locations import place
from backtrail.nodes.reading.computed_evidence import computation_citations
from backtrail.server.ui.pages import templates
from backtrail.server.ui.sources import Source, _contents
from backtrail.state.component import Component, Locator, Table
from backtrail.state.compute_decisions import ComputePlan
from backtrail.tools.tables.typed_table import typed_tables

CRAFT = Table(
    header=("Craft", "Mass", "", "Years"), rows=(("Voyager", "722", "x", "1–2"), ("Huygens", "318", "y", "3–4"))
)
OWNERS = Table(header=("Name", "Owner"), rows=(("Voyager", "NASA"), ("Huygens", "ESA")))
COMPONENTS = {
    f"{key}#0": Component(
        id=f"{key}#0", document=key, position=0, modality="table", table=table, locator=Locator(first_row=2)
    )
    for key, table in (("a", CRAFT), ("b", OWNERS))
}
TABLES = typed_tables(list(COMPONENTS.values()), {})
JOINED = "FROM t1 JOIN t2 AS o ON craft = name"
IDS = "t1.row_id, o.row_id AS row_id_2"

CASES: dict[str, tuple[str, dict[str, list[int]]]] = {
    "a column": ("SELECT row_id, craft AS label FROM t1", {"a": [0]}),
    "a range": ("SELECT row_id, years_high AS value FROM t1", {"a": [3]}),
    "an expression": ("SELECT row_id, years_high - years_low + mass_num AS value FROM t1", {"a": [1, 3]}),
    "without a header": ("SELECT row_id, column_3 AS label FROM t1", {"a": [2]}),
    "a join": (f"SELECT {IDS}, o.owner AS label, mass_num AS value {JOINED}", {"a": [1], "b": [1]}),
    "a condition": ("SELECT row_id FROM t1 WHERE mass_num > 1 AND NOT is_total", {"a": [1]}),
    "nothing named": ("SELECT row_id FROM t1", {}),
    "a condition by a subquery": ("SELECT row_id FROM t1 WHERE craft IN (SELECT name FROM t2)", {}),
    "a star": ("SELECT *, craft AS label FROM t1", {"a": [0]}),
    "a subquery": ("SELECT row_id, (SELECT max(mass_num) FROM t1) AS value FROM t1", {}),
    "another's name": ("WITH t1 AS (SELECT row_id, owner AS craft FROM t2) SELECT row_id, craft AS label FROM t1", {}),
    "a union": ("SELECT row_id, craft AS label FROM t1 UNION ALL SELECT row_id, owner FROM t2", {}),
}  # fmt: skip


def cited(query: str) -> list[Any]:
    done = carry_out("", ComputePlan(query=query, operation="count"), TABLES)
    assert not done["error"]
    return computation_citations(done, COMPONENTS, {})


@pytest.mark.parametrize(("query", "columns"), CASES.values(), ids=CASES)
def test_citations_name_the_columns_that_are_read(query: str, columns: dict[str, list[int]]) -> None:
    assert {
        one["document"]: one["locator"]["columns"] for one in cited(query) if "columns" in one["locator"]
    } == columns


def test_columns_are_shown_by_name_and_their_cells_marked() -> None:
    (one,) = cited("SELECT row_id, craft AS label, mass_num AS value FROM t1")
    assert place("table", one["locator"]) == "table, rows 2–3, columns Craft, Mass"
    shown = _contents(COMPONENTS["a#0"], one, None, None, "tiny")  # type: ignore[arg-type]
    assert ([row.cited for row in shown["rows"]], shown["columns"]) == ([True, True], [0, 1])
    (unnamed,) = cited("SELECT row_id, column_3 AS label FROM t1")
    assert place("table", unnamed["locator"]).endswith("rows 2–3, column 3")


def test_the_page_marks_the_cells_that_were_read() -> None:
    (one,) = cited("SELECT row_id, craft AS label FROM t1 WHERE mass_num > 400")
    shown = _contents(COMPONENTS["a#0"], one, None, None, "tiny")  # type: ignore[arg-type]
    card = templates().from_string('{% from "_source.html" import source_card %}{{ source_card(source) }}')
    page = card.render(source=Source(1, "Craft", "", **shown))
    assert re.findall("<mark>(.*?)</mark>", page) == ["Voyager", "722"]
