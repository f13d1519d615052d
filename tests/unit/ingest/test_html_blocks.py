"""Blocks of pages as sites write them: what each is read as, in which section."""

import pytest
from fixtures.parsed import shown, tables, texts

PROSE = "The lamp burns oil, and a lamp of this size burns about four litres of it in a month of long nights. " * 3

CODE = {
    "pygments": '<table class="highlighttable"><tr><td class="linenos"><div class="linenodiv"><pre>1\n2</pre></div>'
    '</td><td class="code"><div><pre>a = 1\n  b</pre></div></td></tr></table>',
    "inline": '<pre><button class="copybtn">Copy</button><span class="linenos">1 </span>a = 1\n'
    '<span class="linenos">2 </span>  b</pre>',
}


@pytest.mark.parametrize("markup", CODE.values(), ids=CODE)
def test_code_has_no_line_numbers_and_no_buttons(page, markup):
    assert texts(page(f"<p>Run:</p>{markup}")) == ["Run:", "a = 1\n  b"]


TABS = {
    "material": '<div class="tabbed-set"><input><input><div class="tabbed-labels"><label>Linux</label><label>Mac'
    '</label></div><div class="tabbed-content"><div class="tabbed-block"><p>apt</p></div><div class="tabbed-block">'
    "<p>brew</p></div></div></div>",
    "aria": '<div><div role="tablist"><button role="tab" aria-controls="p1">Linux</button><button role="tab" '
    'aria-controls="p2">Mac</button></div><div id="p1" role="tabpanel"><p>apt</p></div>'
    '<div id="p2" role="tabpanel" style="display:none"><p>brew</p></div></div>',
}


@pytest.mark.parametrize("markup", TABS.values(), ids=TABS)
def test_every_tab_is_read_in_a_section_of_its_name(page, markup):
    assert shown(page(f"<h2>Set-up</h2>{markup}")) == [("Set-up > Linux", "apt"), ("Set-up > Mac", "brew")]


def test_panels_within_their_tabs_are_read_under_their_headings(page):
    panel = '<div role="tablist"><div role="tab"><h3>Oil</h3><div role="tabpanel"><p>It burns.</p></div></div></div>'
    assert shown(page(panel)) == [("Oil", "It burns.")]


LAID_OUT = (
    '<div class="admonitionblock"><table><tr><td class="icon">{}</td><td><div><p>It burns.</p></div></table></div>'
)
NOTES = {
    "details": "<details><summary>Mind</summary><p>It burns.</p></details>",
    "aside": '<section><aside class="admonition"><p class="admonition-title">Mind</p><p>It burns.</p></aside>'
    "</section>",
    "asciidoc": LAID_OUT.format('<div class="title">Mind</div>'),
}


@pytest.mark.parametrize("markup", NOTES.values(), ids=NOTES)
def test_notes_stand_in_a_section_of_their_name(page, markup):
    assert shown(page(f"<h2>Lamp</h2>{markup}<p>On.</p>")) == [("Lamp > Mind", "It burns."), ("Lamp", "On.")]


LINES = '<td class="blob-num" data-line-number="213"></td><td class="blob-code blob-code-inner">a = {</td>'
TABLES = {
    "one line of code beside its number": (f"<table><tr>{LINES}</tr></table>", ["a = {"]),
    "ranks": (
        "<table><tr><td>1.<td>Ann<td>12<tr><td>2.<td>Bea<td>11</table>",
        [(("", "", ""), ("1.", "Ann", "12"), ("2.", "Bea", "11"))],
    ),
    "a table in a note that is laid out as one": (
        LAID_OUT.format("Note").replace("</p></div>", "</p></div><table><tr><th>A<th>B<tr><td>1<td>2</table>"),
        ["It burns.", (("A", "B"), ("1", "2"))],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("markup", "found"), TABLES.values(), ids=TABLES)
def test_what_is_laid_out_as_a_table_is_one_or_not(page, markup, found):
    assert [content for _, content in shown(page(markup))] == found


@pytest.mark.parametrize(
    ("rows", "header"),
    [
        ("<tr><td><b>Name</b><td><b>Town</b><tr><td>Ann<td>Bonn", ("Name", "Town")),
        ("<tr><td>Name<td>Town<td>Age<tr><td>Ann<td>Bonn<td>31<tr><td>Eve<td>Rome<td>45", ("Name", "Town", "Age")),
        ("<tr><td>Name<td>Ann<tr><td>Age<td>31", ("", "")),
    ],
)
def test_header_rows_need_no_th(page, rows, header):
    assert tables(page(f"<table>{rows}</table>"))[0].header == header


TERM = "<dl><dt>First:<dd>One.<dt>{}</dt>\n <dd>\n <p>None.</p>"


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        (TERM.format("Default value:"), "First: One.\nDefault value: None."),
        ("<dl><dt>Tern<dd>A bird.<dd>Also three.<dt>Auk<dd>One.</dl>", "Tern: A bird.\nAlso three.\nAuk: One."),
    ],
)
def test_terms_have_one_colon(page, markup, text):
    assert texts(page(markup)) == [text]


HEADINGS = {
    "leaves": (
        "<h3>Join us</h3><h5>May 9 at 9:30</h5><h5>Room 4</h5><h3>Agendas</h3><h5>May</h5><h5>March</h5>",
        [("Join us", "May 9 at 9:30\nRoom 4"), ("Agendas", "May\nMarch")],
    ),
    "sentence": (
        "<h2>Oils<p>Rape.<h2>Lamps are lit at dusk and put out at dawn.</h2><h2>Wicks</h2><ul><li>Cotton</ul>",
        [("Oils", "Rape."), ("", "Lamps are lit at dusk and put out at dawn."), ("Wicks", "Cotton")],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("markup", "found"), HEADINGS.values(), ids=HEADINGS)
def test_what_stands_in_a_heading_and_nothing_below_it_is_text(page, markup, found):
    assert shown(page(markup)) == found


FACT = "<div><div><div>{}</div><div> </div><div>{}</div><div>g</div></div><div><b>{}</b>%</div></div>"
POEM = "A line of a long poem"
BOXES = {
    "facts": (
        f"<div><p>Facts</p>{FACT.format('Fat', 11, 17)}{FACT.format('Fibre', 2, 8)}</div>",
        ["Facts\nFat 11 g 17%\nFibre 2 g 8%"],
    ),
    "sentences": (
        "<div><p>A lamp is lit at dusk every day.</p><p>It is put out again at dawn.</p></div>",
        ["A lamp is lit at dusk every day.\nIt is put out again at dawn."],
    ),
    "large": (f"<div>{f'<p>{POEM}</p>' * 40}</div>", [POEM] * 40),
}


@pytest.mark.parametrize(("markup", "found"), BOXES.values(), ids=BOXES)
def test_boxes_of_short_blocks_are_one_text_and_others_are_read_block_by_block(page, markup, found):
    assert [content for _, content in shown(page(f"<p>{PROSE}</p>{markup}"))][1:] == found


def test_pages_saved_before_their_scripts_ran_are_read_as_they_would_be_shown(page):
    markup = (
        '<body><div hidden=""><template id="B:0"></template></div><h1>Lamp</h1><template id="B:1"></template>tail'
        '<p>Last.</p><div hidden="" id="S:1"><p>It is this one first.</p><template id="P:a2"></template></div> loose '
        '<div hidden="" id="S:a2"><p>It is that one then.</p></div><div hidden id="S:9"><p>Without a place.</p></div>'
    )
    found = ["It is this one first.\nIt is that one then.", "tail", "Last.", "loose", "Without a place."]
    assert [content for _, content in shown(page(markup))] == found
