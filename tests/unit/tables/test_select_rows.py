"""Queries over tables return rows with their sources, within bounds, and the cells that were read are cited."""

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backtrail.nodes.compute_tables import carry_out, table_view
from backtrail.nodes.reading.citation_locations import place
from backtrail.nodes.reading.computed_evidence import computation_citations, computed_text
from backtrail.server.ui.pages import templates
from backtrail.server.ui.sources import Source, _contents
from backtrail.state.component import Component, Locator, Table
from backtrail.state.compute_decisions import ComputeInputs, ComputePlan, plan_fits
from backtrail.tools.tables import database
from backtrail.tools.tables.database import QueryError, select_rows
from backtrail.tools.tables.typed_table import typed_tables

HEADER = ("Country", "Servings", "Share", "Founded", "2019 sales")
ROWS = (
    ("Ardan", "12", "10–20", "4 July 1976", "1,200"),
    ("Borel", "0", "5", "May 2001", "(300)[a]"),
    ("Corda", "0", "7–9", "1999-01-02", "unknown"),
    ("Delm", "40", "1–2", "3 March 1950", "2,000"),
    ("Eral", "3", "1–2", "3 March 1951", "1"),
    ("Total", "55", "", "", "2,901"),
)


def table(key: str = "a#0", rows=ROWS, header=HEADER, page: int | None = None, caption: str = "") -> Component:
    return Component(
        id=key,
        document=key.split("#")[0],
        position=int(key.split("#")[1]),
        modality="table",
        table=Table(caption=caption, header=header, rows=rows),
        locator=Locator(page=page),
    )


TABLES = typed_tables([table(caption="Sales (in millions)")], {"a": "Sales"})


def test_columns_have_the_kinds_of_their_cells():
    (one,) = TABLES
    assert [(column.name, column.kind) for column in one.columns] == [
        ("country", None),
        ("servings", "number"),
        ("share", "range"),
        ("founded", "date"),
        ("c_2019_sales", "number"),
    ]
    assert (one.scale, one.totals, one.columns[4].unreadable) == ("in millions", {5}, {2})
    assert one.columns[4].cells[1] == "(300)"


def test_a_query_returns_rows_with_their_sources():
    found = select_rows(
        TABLES, "SELECT row_id, country AS label, c_2019_sales_num AS value FROM t1 WHERE servings_num = 0"
    )
    assert [row.sources for row in found.rows] == [(("a#0", 1),), (("a#0", 2),)]
    assert [row.values for row in found.rows] == [
        {"label": "Borel", "value": -300.0},
        {"label": "Corda", "value": None},
    ]
    assert (found.examined, found.unreadable) == (6, 1)


def test_rows_are_in_the_order_of_their_table():
    long = typed_tables([table(rows=tuple((f"c{n}",) for n in range(12)), header=("Name",))], {"a": "Names"})
    found = select_rows(long, "SELECT row_id, name AS label FROM t1 WHERE row_number > 9 ORDER BY row_number DESC")
    assert [row.values["label"] for row in found.rows] == ["c11", "c10", "c9"]


def test_a_join_has_a_source_in_each_table():
    tables = typed_tables([table(), table("b#0", (("Ardan", "Nordia"),), ("Land", "Region"))], {})
    found = select_rows(
        tables, "SELECT t1.row_id, t2.row_id AS row_id_2, region FROM t1 JOIN t2 ON t1.country = t2.land"
    )
    assert [(row.sources, row.values) for row in found.rows] == [((("a#0", 0), ("b#0", 0)), {"region": "Nordia"})]


def test_a_table_that_goes_on_on_the_next_page_is_one():
    parts = [table("a#0", page=1), table("a#1", page=2), table("a#2", page=9), table("b#0", page=10)]
    assert [one.components for one in typed_tables(parts, {})] == [("a#0", "a#1"), ("a#2",), ("b#0",)]
    found = select_rows(typed_tables(parts, {}), "SELECT row_id FROM t1 WHERE country = 'Delm'")
    assert [row.sources for row in found.rows] == [(("a#0", 3),), (("a#1", 3),)]


@pytest.mark.parametrize(
    ("sql", "problem"),
    [
        ("SELECT country FROM t1", "Return row_id"),
        ("SELECT 'x' AS row_id FROM t1", "row_id must be the column of a table"),
        ("SELECT row_id FROM t2", "There is no table 't2'; tables are"),
        ("SELECT row_id FROM information_schema.tables", "There is no table 'information_schema.tables'"),
        ("SELECT * FROM read_csv('/etc/passwd')", "'read_csv' is no table"),
        ("SELECT * FROM '/etc/passwd'", "There is no table '/etc/passwd'"),
        ("SELECT row_id FROM t1, range(100)", "'range' is no table"),
        ("DELETE FROM t1", "Only SELECT"),
        ("COPY t1 TO '/tmp/x'", "Only SELECT"),
        ("SET threads = 4", "Only SELECT"),
        ("SELECT row_id FROM t1; SELECT row_id FROM t1", "one SELECT"),
        ("SELECT row_id FROM t1 WHERE", "cannot be parsed"),
        ("SELECT row_id FROM t1 WHERE nope = 1", '"nope" not found'),
        ("SELECT row_id, sum(servings_num) FROM t1 GROUP BY row_id", "leave out GROUP BY"),
        ("SELECT min(row_id) AS row_id FROM t1", r"leave out min\(…\)"),
        ("SELECT DISTINCT row_id FROM t1", "leave out DISTINCT"),
        ("SELECT row_id FROM t1 UNION SELECT row_id FROM t1", "only UNION ALL"),
        ("WITH x AS (SELECT max(row_id) AS row_id FROM t1) SELECT row_id FROM x", r"leave out max\(…\)"),
        ("SELECT row_id, getenv('HOME') FROM t1", "getenv does not exist"),
    ],
)
def test_a_query_that_is_not_allowed_says_why(sql, problem):
    with pytest.raises(QueryError, match=problem):
        select_rows(TABLES, sql)


NESTED = "SELECT row_id FROM " + "(SELECT * FROM " * 100 + "t1" + ")" * 100


@pytest.mark.parametrize(
    "sql",
    [
        NESTED,
        "SELECT row_id FROM t1 WHERE " + "NOT " * 900 + "true",
        "SELECT row_id FROM t1 WHERE " + "(" * 1900 + "true" + ")" * 1900,
        "WITH RECURSIVE x AS (SELECT row_id FROM t1 UNION ALL SELECT row_id FROM x) SELECT * FROM x",
    ],
)
def test_a_hostile_query_ends_in_rows_or_an_error(sql):
    done = carry_out("", ComputePlan(query=sql, operation="count"), TABLES)
    assert done["result"] == str(len(ROWS)) or 0 < len(done["error"]) <= database.MESSAGE_CHARACTERS


@pytest.mark.parametrize(
    "header",
    [
        ("Sales", "Sales num", "row_id"),
        ("Column", "In", "Case"),
        ("国家", "Größe (m²)", ""),
    ],
)
def test_any_header_gives_columns_that_can_be_queried(header):
    (one,) = typed_tables([table(header=header, rows=(("1", "2", "3 May 2001"),))], {})
    names = [column.name for column in one.columns]
    found = select_rows([one], f"SELECT row_id, {', '.join(names)}, {names[0]}_num AS value FROM t1")
    assert list(found.rows[0].values.values()) == ["1", "2", "3 May 2001", 1.0]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT row_id FROM t1 WHERE servings_num > (SELECT avg(servings_num) FROM t1)",
        "WITH x AS (SELECT * FROM t1) SELECT row_id FROM x ORDER BY servings_num DESC LIMIT 2",
        "SELECT row_id FROM t1 WHERE country = 'Ardan' UNION ALL SELECT row_id FROM t1 WHERE country = 'Delm'",
        "SELECT row_id, rank() OVER (ORDER BY servings_num) AS place FROM t1 WHERE servings_num >= 12 AND NOT is_total",
    ],
)
def test_conditions_orders_and_windows_are_allowed(sql):
    assert 1 <= len(select_rows(TABLES, sql).rows) <= 2


def test_time_and_rows_are_bounded(monkeypatch):
    many = typed_tables([table(rows=tuple((str(number),) for number in range(400)), header=("n",))], {})
    monkeypatch.setattr(database, "MOST_ROWS", 1000)
    with pytest.raises(QueryError, match="returns more than 1000 rows"):
        select_rows(many, "SELECT a.row_id FROM t1 a, t1 b")
    for seconds in (0.2, 0):  # 0: the time ran out before it began
        monkeypatch.setattr(database, "SECONDS", seconds)
        with pytest.raises(QueryError, match=f"longer than {seconds} seconds"):
            select_rows(many, "SELECT a.row_id FROM t1 a, t1 b, t1 c, t1 d WHERE a.n || b.n || c.n || d.n = 'x'")


@pytest.mark.parametrize(
    ("operation", "columns", "result", "rows"),
    [
        ("count", "", "5", [(0, 4)]),
        ("distinct", "servings AS label", "4", [(0, 4)]),
        ("sum", "servings_num AS value", "55", [(0, 4)]),
        ("mean", "servings_num AS value", "11", [(0, 4)]),
        ("max", "country AS label, servings_num AS value", "Delm: 40", [(3, 3)]),
        ("min", "country AS label, servings_num AS value", "Borel; Corda: 0", [(1, 2)]),
        ("first", "country AS label", "Ardan", [(0, 0)]),
        ("last", "country AS label", "Eral", [(4, 4)]),
        ("list", "country AS label", "Ardan; Borel; Corda; Delm; Eral", [(0, 4)]),
        ("rank", "country = 'Corda' AS part", "3 of 5", [(0, 2)]),
        ("share", "servings_num > 0 AS part", "60 %", [(0, 4)]),
        ("share", "servings_num AS value, country = 'Ardan' AS part", "21.81818182 %", [(0, 4)]),
    ],
)
def test_operations(operation, columns, result, rows):
    query = f"SELECT row_id{', ' if columns else ''}{columns} FROM t1 WHERE NOT is_total"
    done = carry_out("", ComputePlan(query=query, operation=operation), TABLES)
    assert (done["result"], done["error"], done["selected"]) == (result, "", 5)
    assert [(one["component"], one["ranges"]) for one in done["rows"]] == [("a#0", rows)]


def test_other_tables_that_fit_are_named_beside_the_result():
    tables = typed_tables([table(), table("b#0", caption="2019"), table("c#0")], {"b": "Sales abroad"})
    done = carry_out("", ComputePlan(query="SELECT row_id FROM t1", others=["t1", "t2"]), tables)
    assert done.get("others") == ["Sales abroad › 2019"]
    assert "Other tables fit as well and were not read: Sales abroad › 2019" in computed_text("c", done).sentences


def test_other_tables_must_be_offered():
    views = [table_view(one, frozenset()) for one in TABLES]
    inputs = ComputeInputs(question="How many?", subtask="How many?", tables=views)
    (problem,) = plan_fits(inputs, ComputePlan(query="SELECT row_id FROM t1", others=["t9"]))
    assert "'t9'" in problem
    assert "['t1']" in problem


def test_differences_of_numbers_and_dates():
    where = "FROM t1 WHERE country IN ('Delm', 'Eral') ORDER BY country DESC"
    days = carry_out(
        "", ComputePlan(query=f"SELECT row_id, founded_date AS value {where}", operation="difference"), TABLES
    )
    assert days["result"] == "365 days"
    less = carry_out(
        "", ComputePlan(query=f"SELECT row_id, servings_num AS value {where}", operation="difference"), TABLES
    )
    assert less["result"] == "-37"


@pytest.mark.parametrize(
    ("operation", "query", "error"),
    [
        ("sum", "SELECT row_id FROM t1 WHERE country = 'Nowhere'", "selects no row"),
        ("sum", "SELECT row_id FROM t1", "AS value"),
        ("sum", "SELECT row_id, c_2019_sales_num AS value FROM t1", "1 of 6 selected rows have no value"),
        ("difference", "SELECT row_id, servings_num AS value FROM t1", "exactly two rows, and the query selects 6"),
        ("share", "SELECT row_id FROM t1", "AS part"),
        ("rank", "SELECT row_id, false AS part FROM t1", "part = true"),
        ("list", "SELECT row_id FROM t1", "AS label"),
        ("count", "", "The tables lack it."),
    ],
)
def test_what_cannot_be_computed_is_an_error_of_the_record(operation, query, error):
    done = carry_out("", ComputePlan(query=query, operation=operation, why="The tables lack it."), TABLES)
    assert error in done["error"]
    assert (done["result"], done["rows"]) == ("", [])


NUMBERS = st.lists(st.tuples(st.sampled_from(["north", "south"]), st.integers(1, 10**6)), min_size=1, max_size=6)


@settings(max_examples=20, deadline=None)
@given(NUMBERS, st.sampled_from(["count", "sum"]))
def test_rows_that_do_not_match_change_no_citation_and_each_cited_row_counts(numbers, operation):
    rows = [*numbers, ("north", 5)]
    query = "SELECT row_id, n_num AS value FROM t1 WHERE side = 'north'"

    def computed(rows):
        cells = tuple((side, str(number)) for side, number in rows)
        return carry_out(
            "",
            ComputePlan(query=query, operation=operation),
            typed_tables([table(rows=cells, header=("Side", "N"))], {}),
        )

    done = computed(rows)
    more = computed([*rows, ("south", 7)])
    assert (more["result"], more["rows"]) == (done["result"], done["rows"])
    cited = [number for one in done["rows"] for first, last in one["ranges"] for number in range(first, last + 1)]
    assert cited == [number for number, (side, _) in enumerate(rows) if side == "north"]
    for number in cited[:-1]:
        assert computed(rows[:number] + rows[number + 1 :])["result"] != done["result"]


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
CRAFTS = typed_tables(list(COMPONENTS.values()), {})
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
    done = carry_out("", ComputePlan(query=query, operation="count"), CRAFTS)
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
