import pytest

from backtrail.state.component import Table


def table(parsed, number=0):
    return [component for component in parsed.components if component.table][number]


def cells(parsed, number=0):
    found = table(parsed, number).table
    return found.header, found.rows


def test_header_rows_and_caption(page):
    parsed = page(
        "<table><caption>C</caption><thead><tr><td>A<td>B<tbody><tr><td>1<td>2<br>3<tfoot><tr><td>s<td>t</table>"
    )
    assert table(parsed).table == Table(caption="C", header=("A", "B"), rows=(("1", "2 3"), ("s", "t")))


def test_several_header_rows_are_merged_by_column(page):
    parsed = page(
        "<table><tr><th rowspan=2>Y<th colspan=2>Sales</tr><tr><th>N<th>S</tr><tr><td>1<td>2<td>3</tr></table>"
    )
    assert cells(parsed) == (("Y", "Sales / N", "Sales / S"), (("1", "2", "3"),))


def test_a_header_row_across_the_table_is_its_title(page):
    parsed = page("<table><tr><th colspan=2>Big <tr><th>A<th>B<tr><td>1<td>2</table>")
    assert table(parsed).table == Table(caption="Big", header=("A", "B"), rows=(("1", "2"),))


def test_without_header_all_rows_are_kept_under_empty_names(page):
    assert cells(page("<table><tr><td>1<td>2<tr><td>3<td>4</table>")) == (("", ""), (("1", "2"), ("3", "4")))
    assert cells(page("<table><tr><th>k<td>v<tr><th>l<td>w</table>")) == (("", ""), (("k", "v"), ("l", "w")))


def test_spans_repeat_the_cell_and_short_rows_are_filled(page):
    parsed = page("<table><tr><th>A<th>B<th>C<tr><td rowspan=2>x<td colspan=10000>y<tr><td>z<tr><td>l</table>")
    assert cells(parsed)[1] == (("x", "y", "y"), ("x", "z", ""), ("l", "", ""))


def test_links_in_cells_know_row_and_column(page):
    parsed = page(
        "<table><caption><a href=c.html>c</a></caption><tr><th><a href=h.html>H</a><th>I"
        "<tr><td>1<td><a href=a.html>a</a> <a href=b.html>b</a>"
        "<tr><td rowspan=2><a href=d.html><img src=http://x/y.png alt=flag></a><td>2<tr><td>3</table>"
    )
    found = [(link.target, link.anchor, link.row, link.column) for link in table(parsed).links]
    assert found == [
        ("c.html", "c", None, None),
        ("h.html", "H", None, 0),
        ("a.html", "a", 0, 1),
        ("b.html", "b", 0, 1),
        ("d.html", "flag", 1, 0),
        ("d.html", "flag", 2, 0),
    ]
    assert table(parsed).table.rows[1] == ("flag", "2")


@pytest.mark.parametrize("wrap", ["<h2>Near</h2>%s", "<figure>%s<figcaption>Near</figcaption></figure>"])
def test_the_caption_falls_back_to_figure_and_heading(page, wrap):
    parsed = page(wrap % "<table><tr><th>A<tr><td>1</table>")
    assert table(parsed).table.caption == "Near"
    assert len(parsed.components) == 1


def test_layout_tables_are_read_as_paragraphs_and_their_inner_tables_as_tables(page):
    parsed = page(
        "<table><tr><td><h2>Left</h2><p>a</p></td><td><table><tr><th>A<th>B<tr><td>1<td>2</table></td></tr></table>"
    )
    assert [(c.modality, c.section) for c in parsed.components] == [("text", "Left"), ("table", "Left")]
    assert cells(parsed) == (("A", "B"), (("1", "2"),))


def test_a_table_and_a_picture_inside_a_data_cell_follow_it(page):
    parsed = page(
        "<table><tr><th>A<th>B<tr><td>1 <img src=x.png alt=pic><td>2<table><tr><th>N<tr><td>n</table></td></tr></table>"
    )
    assert [component.modality for component in parsed.components] == ["table", "image", "table"]
    assert cells(parsed)[1] == (("1", "2"),)
    assert cells(parsed, 1) == (("N",), (("n",),))


def test_empty_rows_and_empty_tables_are_dropped(page):
    parsed = page("<table><tr><th>A<tr><td> <tr></tr><tr><td><a href=x.html>1</a></table><table></table><p>p")
    assert cells(parsed)[1] == (("1",),)
    assert table(parsed).links[0].row == 0
    assert len(parsed.components) == 2


def test_a_cell_over_several_columns_that_holds_a_page_is_told_once(page):
    row = "<tr><td colspan=2>{}<tr><td>1<td>2"
    arranged = page(f"<table>{row.format('<p>Long</p>' * 10)}</table>")
    assert [component.modality for component in arranged.components] == ["text"] * 12
    assert cells(page(f"<table>{row.format('<p>Long</p>' * 9)}</table>"))[1][1] == ("1", "2")


def test_a_first_row_that_names_the_rows_below_it_is_no_title(page):
    rows = "<tr><th colspan=2>1st period</th></tr><tr><td>07:27<td>Ann</tr><tr><th colspan=2>2nd period</th></tr>"
    (component,) = page(f"<table><caption>Scoring</caption>{rows}<tr><td>03:19<td>Bea</table>").components
    assert component.table.caption == "Scoring"
    assert component.table.rows == (("1st period",) * 2, ("07:27", "Ann"), ("2nd period",) * 2, ("03:19", "Bea"))
    (untitled,) = page(f"<table>{rows}<tr><td>03:19<td>Bea</table>").components
    assert untitled.table.caption == "1st period"
