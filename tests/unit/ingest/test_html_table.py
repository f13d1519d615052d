import re

import pytest
from fixtures.parsed import shown, tables, texts
from hypothesis import given, settings
from hypothesis import strategies as st

from backtrail.ingest.html.grid import MAX_COLUMNS, Span, resolve_grid
from backtrail.ingest.html.markup import parse_markup
from backtrail.ingest.html.split_long_blocks import LONG, PART, parts_of
from backtrail.state.component import Table
from backtrail.tools.web.bound_attributes import bound_attributes

READ = {
    "a header and a caption": (
        "<table><caption>C</caption><thead><tr><td>A<td>B<tbody><tr><td>1<td>2<br>3<tfoot><tr><td>s<td>t</table>",
        Table(caption="C", header=("A", "B"), rows=(("1", "2 3"), ("s", "t"))),
    ),
    "several header rows are merged by column": (
        "<table><tr><th rowspan=2>Y<th colspan=2>Sales</tr><tr><th>N<th>S</tr><tr><td>1<td>2<td>3</tr></table>",
        Table(header=("Y", "Sales / N", "Sales / S"), rows=(("1", "2", "3"),)),
    ),
    "a header row across the table is its title": (
        "<table><tr><th colspan=2>Big <tr><th>A<th>B<tr><td>1<td>2</table>",
        Table(caption="Big", header=("A", "B"), rows=(("1", "2"),)),
    ),
    "names of rows": (
        "<table><tr><th>k<td>v<tr><th>l<td>w</table>", Table(header=("", ""), rows=(("k", "v"), ("l", "w")))
    ),
    "spans repeat the cell, and short rows are filled": (
        "<table><tr><th>A<th>B<th>C<tr><td rowspan=2>x<td colspan=10000>y<tr><td>z<tr><td>l</table>",
        Table(header=("A", "B", "C"), rows=(("x", "y", "y"), ("x", "z", ""), ("l", "", ""))),
    ),
    "the caption is that of the figure": (
        "<figure><table><tr><th>A<tr><td>1</table><figcaption>Near</figcaption></figure>",
        Table(caption="Near", header=("A",), rows=(("1",),)),
    ),
    "the caption is the heading": (
        "<h2>Near</h2><table><tr><th>A<tr><td>1</table>", Table(caption="Near", header=("A",), rows=(("1",),))
    ),
}  # fmt: skip


@pytest.mark.parametrize(("markup", "table"), READ.values(), ids=READ)
def test_what_is_read_of_a_table(page, markup, table):
    parsed = page(markup)
    assert tables(parsed) == [table]
    assert texts(parsed) == []


LAID_OUT = {
    "layout": (
        "<table><tr><td><h2>Left</h2><p>a</p></td><td><table><tr><th>A<th>B<tr><td>1<td>2</table></td></tr></table>",
        [("Left", "a"), ("Left", (("A", "B"), ("1", "2")))],
    ),
    "a table and a picture inside a data cell follow it": (
        "<table><tr><th>A<th>B<tr><td>1 <img src=x.png alt=pic><td>2<table><tr><th>N<tr><td>n</table></table>",
        [("", (("A", "B"), ("1", "2"))), ("", "pic"), ("", (("N",), ("n",)))],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("markup", "found"), LAID_OUT.values(), ids=LAID_OUT)
def test_what_stands_in_a_table(page, markup, found):
    assert shown(page(markup)) == found


def test_links_in_cells_know_row_and_column(page):
    table, _ = page(
        "<table><caption><a href=c.html>c</a></caption><tr><th><a href=h.html>H</a><th>I<tr><td> <tr>"
        "<tr><td>1<td><a href=a.html>a</a> <a href=b.html>b</a>"
        "<tr><td rowspan=2><a href=d.html><img src=http://x/y.png alt=flag></a><td>2<tr><td>3</table>"
    ).components
    assert [(link.target, link.anchor, link.row, link.column) for link in table.links] == [
        ("c.html", "c", None, None), ("h.html", "H", None, 0), ("a.html", "a", 0, 1), ("b.html", "b", 0, 1),
        ("d.html", "flag", 1, 0), ("d.html", "flag", 2, 0),
    ]  # fmt: skip
    assert table.table.rows[1] == ("flag", "2")


CODE = "\n\n".join(f"def step_{n}():\n    before = 1\n\n    return {n}" for n in range(300))
ITEM = '<{} id="i{n}">Reference {n} of the list, with <a href="https://a.example/{n}">its page</a></{}>'


@pytest.mark.parametrize(("block", "item"), [("ol", "li"), ("blockquote", "p")])
def test_overlong_blocks_are_divided_between_their_items(page, block, item):
    def markup(count):
        return f"<{block}>{''.join(ITEM.format(item, item, n=n) for n in range(count))}</{block}>"

    parsed = page(f"<h2>Notes</h2>{markup(400)}<p>End</p>")
    *parts, end = parsed.components
    assert len(parts) > 5
    assert end.text == "End"
    assert {part.section for part in parts} == {"Notes"}
    assert all(PART // 2 <= len(part.text) <= PART for part in parts[:-1])
    said = re.findall(r"Reference (\d+) ", "\n".join(part.text for part in parts))
    assert said == [str(n) for n in range(400)], "nothing is lost, and the order stays"
    for n in (0, 123, 399):
        (held,) = [part for part in parts if f"Reference {n} " in part.text]
        assert parsed.fragments[f"i{n}"] == held.id, "a link to an item leads to the part that holds it"
        assert f"https://a.example/{n}" in [link.target for link in held.links]
    assert len(page(markup(40)).components) == 1
    assert len(page(f"<dl>{'<dt>Term</dt><dd>What it means, in some words.</dd>' * 600}</dl>").components) == 1


def test_overlong_code_is_divided_at_its_blank_lines(page):
    parts = [part.text for part in page(f"<pre>{CODE}</pre>").components]
    assert len(parts) > 5
    assert "\n\n".join(parts) == CODE
    assert all(part.startswith("def ") for part in parts)
    assert len(page(f"<pre>{CODE[:LONG]}</pre>").components) == 1


@given(st.lists(st.text("ab \n", max_size=300), max_size=120).map("\n".join))
@settings(max_examples=40)
def test_no_line_is_lost_or_cut(text):
    parts = [*parts_of(text)]
    assert "\n".join(parts) == text
    assert len(parts) == 1 or all(len(part) <= 2 * PART for part in parts)


def test_a_page_is_read_whatever_its_tags_have_and_what_they_lost_is_said() -> None:
    many = " ".join(f"b{number}='>'" for number in range(300))
    tree, losses = parse_markup(f"<body><p id=here {many} class=x>last</p><p>end</p></body>")
    first, last = tree.iter("p")
    assert (first.get("id"), first.get("b254"), first.get("b255"), first.text, last.text) == (
        "here", ">", None, "last", "end",
    )  # fmt: skip
    assert losses == ["attributes beyond 256 of one tag were left out (tags: 1)"]


@given(st.lists(st.sampled_from(["<a b='c>'>", '<p ">', "five words of a text ", "it's ", '"', "</a>", "a < b"])))
def test_tags_of_pages_are_told_apart_and_left_alone(parts: list[str]) -> None:
    markup = "".join(parts * 300)
    assert bound_attributes(markup) == (markup, 0)


spans = st.builds(Span, st.integers(1, 1200) | st.integers(1, 4), st.integers(0, 70000) | st.integers(0, 4))


@given(st.lists(st.lists(spans, max_size=5), max_size=6), st.randoms())
def test_any_spans_resolve_to_a_rectangle_in_which_every_cell_stands(rows, random):
    groups = sorted(random.randrange(3) for _ in rows)
    grid = resolve_grid(rows, groups)
    assert len(grid) == len(rows)
    assert len({len(row) for row in grid}) <= 1
    assert all(len(row) <= MAX_COLUMNS for row in grid)
    placed = {slot for row in grid for slot in row if slot is not None}
    count = sum(map(len, rows))
    assert placed <= set(range(count))
    # a cell can only be lost beyond the last column that a row may have
    assert len(placed) == count or any(span.columns > 100 for row in rows for span in row)
