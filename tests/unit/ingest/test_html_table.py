import pytest
from fixtures.parsed import shown, tables, texts

from backtrail.state.component import Table

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
