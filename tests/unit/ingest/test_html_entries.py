"""Boxes of short blocks are one text each, with a line for each small box in them."""

import pytest

PROSE = "The lamp burns oil, and a lamp of this size burns about four litres of it in a month of long nights. " * 3


def texts(parsed):
    return [component.text for component in parsed.components if component.text]


def meeting(day, time, place):
    return f'<div class="minutes"><div>{day}</div><div>{time}</div><div><a href="{day}.pdf">{place}</a></div></div>'


def test_what_belongs_to_an_entry_of_a_listing_stays_with_it(page):
    days = [f"May {number}, 2019" for number in range(1, 31)]
    entries = "".join(meeting(day, "10:00 AM", "1 Quay, Wick") for day in days)
    parsed = page(f"<h1>Meetings</h1><div>{entries}</div>")
    assert texts(parsed) == [f"{day}\n10:00 AM\n1 Quay, Wick" for day in days]
    assert [link.target for link in parsed.components[0].links] == ["May 1, 2019.pdf"]


def test_a_label_of_facts_is_lines_of_names_and_values(page):
    fact = "<div><div><div>{}</div><div> </div><div>{}</div><div>g</div></div><div><b>{}</b>%</div></div>"
    label = "".join(fact.format(*values) for values in (("Fat", 11, 17), ("Fibre", 2, 8)))
    assert texts(page(f"<h2>Notes</h2><p>{PROSE}</p><div><p>Facts</p>{label}</div><p>{PROSE}</p>")) == [
        PROSE.strip(), "Facts\nFat 11 g 17%\nFibre 2 g 8%", PROSE.strip(),
    ]  # fmt: skip


def test_text_before_a_line_is_not_glued_to_it(page):
    said = "<div><div>Review by<div>Ann</div></div><div>Review by<div>Bea</div></div></div>"
    assert texts(page(f"<p>{PROSE}</p>{said}")) == [PROSE.strip(), "Review by Ann\nReview by Bea"]


@pytest.mark.parametrize(
    ("markup", "number"),
    [
        ("<div><p>A lamp is lit at dusk every day.</p><p>It is put out again at dawn.</p></div>", 2),
        ("<div><p>Oil</p><ul><li>Rape</ul></div>", 2),
        ("<div><h3>Oil</h3><p>Rape</p><h3>Wick</h3><p>Long</p></div>", 2),
        (f"<div><p>Oil</p><p>{PROSE}</p></div>", 2),
        ("<div>" + "<p>A line of a long poem</p>" * 40 + "</div>", 40),
        ("<div><p>Oil</p><table><tr><th>a<th>b<tr><td>1<td>2</table></div>", 2),
    ],
    ids=["sentences", "list", "headings", "paragraph", "large", "table"],
)
def test_other_boxes_are_read_block_by_block(page, markup, number):
    assert len(page(markup).components) == number


def test_links_to_a_box_lead_to_its_text(page):
    parsed = page(f'<p>{PROSE}</p><div id="may"><div>May 1</div><div id="time">10:00</div></div>')
    assert {parsed.fragments["may"], parsed.fragments["time"]} == {parsed.components[1].id}


def test_a_balance_with_headings_in_it_is_a_table(page):
    rows = "".join(f"<tr><td>Oil {number}</td><td>$ {number},000</td></tr>" for number in range(1, 5))
    table = (
        f"<table><tr><td><h3>Income</h3></td><td></td></tr>{rows}<tr><td><h5>Total</h5></td><td>$ 10,000</td></table>"
    )
    (component,) = page(f"<h2>Report</h2>{table}").components
    assert (component.table.caption, component.section) == ("Income", "Report")
    assert component.table.rows[0] == ("Oil 1", "$ 1,000")
    assert component.table.rows[-1] == ("Total", "$ 10,000")


def test_a_table_of_cards_is_still_read_block_by_block(page):
    rows = "".join(
        f"<tr><td><h3>Oil {number}</h3> burns</td><td><h3>Wick {number}</h3> lasts</td>" for number in range(5)
    )
    assert {component.modality for component in page(f"<table>{rows}</table>").components} == {"text"}


def test_a_heading_that_is_a_paragraph_names_no_section(page):
    parsed = page(f"<h2>Oils</h2><h3>{PROSE}</h3><p>Rape.</p>")
    assert [(part.section, part.text) for part in parsed.components] == [("Oils", PROSE.strip()), ("Oils", "Rape.")]
