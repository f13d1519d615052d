"""Code, tabs, admonitions and tables as sites show them."""

import pytest


def texts(parsed):
    return [component.text for component in parsed.components if component.text]


def sections(parsed):
    return [(component.section, component.text) for component in parsed.components]


@pytest.mark.parametrize(
    "markup",
    [
        '<table class="highlighttable"><tr><td class="linenos"><div class="linenodiv"><pre>1\n2</pre></div></td>'
        '<td class="code"><div><pre>a = 1\n  b</pre></div></td></tr></table>',
        '<figure class="highlight"><table><tr><td class="gutter"><pre>1<br>2</pre></td><td class="code"><pre>'
        '<span class="line">a = 1</span><br><span class="line">  b</span></pre></td></tr></table></figure>',
        '<table class="js-file-line-container"><tr><td class="blob-num" data-line-number="1"></td><td>a = 1</td></tr>'
        '<tr><td class="blob-num" data-line-number="2"></td><td>  b</td></tr></table>',
        '<pre><button class="copybtn">Copy</button><span class="linenos">1 </span>a = 1\n'
        '<span class="linenos">2 </span>  b</pre>',
        '<pre><code><span class="token-line"><span>a = 1</span><br></span><span class="token-line"><span>  b</span><br>'
        '</span></code></pre><button>Copy</button>',
    ],
    ids=["pygments", "hexo", "github", "inline", "docusaurus"],
)  # fmt: skip
def test_code_has_no_line_numbers_and_no_buttons(page, markup):
    assert texts(page(f"<p>Run:</p>{markup}")) == ["Run:", "a = 1\n  b"]


@pytest.mark.parametrize(
    "markup",
    [
        '<div class="tabbed-set"><input><input><div class="tabbed-labels"><label>Linux</label><label>Mac</label></div>'
        '<div class="tabbed-content"><div class="tabbed-block"><p>apt</p></div><div class="tabbed-block"><p>brew</p>'
        '</div></div></div>',
        '<div class="sd-tab-set"><input><label class="sd-tab-label">Linux</label><div class="sd-tab-content"><p>apt</p>'
        '</div><input><label class="sd-tab-label">Mac</label><div class="sd-tab-content"><p>brew</p></div></div>',
        '<div class="tabs-container"><ul role="tablist"><li role="tab">Linux</li><li role="tab">Mac</li></ul><div>'
        '<div role="tabpanel"><p>apt</p></div><div role="tabpanel" hidden><p>brew</p></div></div></div>',
        '<div><div role="tablist"><button role="tab" aria-controls="p1">Linux</button><button role="tab" '
        'aria-controls="p2">Mac</button></div><div id="p1" role="tabpanel"><p>apt</p></div>'
        '<div id="p2" role="tabpanel" style="display:none"><p>brew</p></div></div>',
    ],
    ids=["material", "sphinx", "docusaurus", "aria"],
)  # fmt: skip
def test_every_tab_is_read_in_a_section_of_its_name(page, markup):
    assert sections(page(f"<h2>Set-up</h2>{markup}")) == [("Set-up > Linux", "apt"), ("Set-up > Mac", "brew")]


@pytest.mark.parametrize(
    "markup",
    [
        '<div class="admonition warning"><p class="admonition-title">Mind</p><p>It burns.</p></div>',
        '<div class="theme-admonition"><div class="admonitionHeading_Gvgb"><span><svg></svg></span>Mind</div>'
        '<div class="admonitionContent_BuS1"><p>It burns.</p></div></div>',
        '<div class="markdown-alert"><p class="markdown-alert-title">Mind</p><p>It burns.</p></div>',
        "<details><summary>Mind</summary><p>It burns.</p></details>",
        '<section><aside class="admonition"><p class="admonition-title">Mind</p><p>It burns.</p></aside></section>',
    ],
    ids=["sphinx", "docusaurus", "github", "details", "aside"],
)
def test_notes_stand_in_a_section_of_their_name(page, markup):
    assert sections(page(f"<h2>Lamp</h2>{markup}<p>On.</p>")) == [("Lamp > Mind", "It burns."), ("Lamp", "On.")]


def test_what_can_be_unfolded_or_found_is_read(page):
    assert texts(page('<p>a</p><div hidden="until-found"><p>b</p></div><div hidden><p>c</p></div>')) == ["a", "b"]


@pytest.mark.parametrize(
    ("rows", "header"),
    [
        ("<tr><td><b>Name</b><td><b>Town</b><tr><td>Ann<td>Bonn", ("Name", "Town")),
        ("<tr bgcolor=#ccc><td>Name<td>Town<tr><td>Ann<td>Bonn", ("Name", "Town")),
        ("<tr><td>Name<td>Town<td>Age<tr><td>Ann<td>Bonn<td>31<tr><td>Eve<td>Rome<td>45", ("Name", "Town", "Age")),
        ("<tr><td>Name<td>Ann<tr><td>Age<td>31", ("", "")),
        ("<tr><td>1<td>2<td>3<tr><td>4<td>5<td>6", ("", "", "")),
        ("<tr><td><b>Name</b><td>Ann<tr><td><b>Town</b><td>Bonn", ("", "")),
    ],
    ids=["bold", "colour", "kinds", "pairs", "numbers", "first-column"],
)
def test_header_rows_need_no_th(page, rows, header):
    assert page(f"<table>{rows}</table>").components[0].table.header == header


def test_definitions_go_on_behind_their_term_only(page):
    (text,) = texts(page("<dl><dt>Tern<dd>A bird.<dd>Also a set of three.<dt>Auk<dd>Another.</dl>"))
    assert text == "Tern: A bird.\nAlso a set of three.\nAuk: Another."
    assert texts(page("<dl><dd>Indented.</dd></dl>")) == ["Indented."]


MANUAL = """\
SORTER(1)                     User Commands                     SORTER(1)

<b><a name="name">NAME</a></b>
       sorter - sort &amp; count

<b>SYNOPSIS</b>
       <b>sorter</b> [<b>-c</b> <i>file</i>] [<b>--reverse</b>] [<b>--stable</b>] [<b>--help</b>]
              <i>name</i> ...

OPTIONS
   <b>Order</b>
       <b>-c</b> <i>file</i>
              Read the order from a  file,  as  written  in  <a href="order.5.html">order</a>(5).  Post-
              poned until the first line was seen.

              It may be empty.

       <b>-r</b>     Reverse. Lines that are the same keep the order they stand in.

       <b>o</b>      An item

EXAMPLES
       Sort it:

              sorter -c abc  list
                sorter --reverse

SORTER                          May 2020                        SORTER(1)
"""


def test_a_manual_page_in_one_block_has_sections_and_options(page):
    parsed = page(f"<title>sorter(1)</title><body><pre>{MANUAL}</pre><p>End.")
    assert [(part.section, part.text) for part in parsed.components] == [
        ("NAME", "sorter - sort & count"),
        ("SYNOPSIS", "sorter [-c file] [--reverse] [--stable] [--help] name ..."),
        (
            "OPTIONS > Order",
            "-c file: Read the order from a file, as written in order(5). Postponed until the first line was seen.\n"
            "It may be empty.",
        ),
        ("OPTIONS > Order", "-r: Reverse. Lines that are the same keep the order they stand in."),
        ("OPTIONS > Order", "An item"),
        ("EXAMPLES", "Sort it:"),
        ("EXAMPLES", "sorter -c abc  list\n  sorter --reverse"),
        ("EXAMPLES", "End."),
    ]
    assert parsed.fragments["name"] == parsed.components[0].id
    assert [link.target for link in parsed.components[2].links] == ["order.5.html"]


def test_a_listing_in_a_section_gives_no_headings(page):
    table = "RUNNING\n    a\n\nFLUSHING\n    b\n\nFINISHING\n    c"
    parsed = page(f"<h2>States</h2><pre>{table}</pre><h3>Next</h3><p>End.")
    assert [(part.section, part.text) for part in parsed.components] == [("States", table), ("States > Next", "End.")]


@pytest.mark.parametrize(
    "listing",
    [
        "SELECT\n    a\nFROM\n    b\nWHERE\n    c\n",
        "NAME\n    x\n\nOTHER\n    y\n",
        "def a():\n    return 1\n\nB = 2\n\nC = 3\n\nfor x in C:\n    a()\n",
    ],
)
def test_other_listings_stay_whole(page, listing):
    assert texts(page(f"<pre>{listing}</pre>")) == [listing.rstrip()]


@pytest.mark.parametrize(
    ("term", "read"),
    [
        ("Default value:", "Default value: None."),
        ("<a name=d></a>Default <b>value</b><span class=colon>:</span>", "Default value: None."),
        ("<code>Why?</code>", "Why? None."),
        ("既定値：", "既定値： None."),
        ("?", "?: None."),
        ("Default value", "Default value: None."),
    ],
)
def test_a_term_that_ends_in_a_mark_gets_no_colon(page, term, read):
    assert texts(page(f"<dl><dt>First:<dd>One.<dt>{term}</dt>\n <dd>\n <p>None.</p>")) == [f"First: One.\n{read}"]


@pytest.mark.parametrize(
    "icon",
    ['<div class="title">Note</div>', '<i class="fa icon-note" title="Note"></i>', '<img src="n.png" alt="Note">'],
)
def test_notes_laid_out_as_tables_are_no_tables(page, icon):
    parsed = page(
        f'<h2>Use</h2><div class="admonitionblock note"><table><tr><td class="icon">{icon}</td><td class="content">'
        "<div class=paragraph><p>Mind the gap.</p></div><table><tr><th>A<th>B<tr><td>1<td>2</table></td></tr></table>"
        "</div><p>After it.</p>"
    )
    assert [(one.section, one.modality, one.text) for one in parsed.components] == [
        ("Use > Note", "text", "Mind the gap."), ("Use > Note", "table", None), ("Use", "text", "After it."),
    ]  # fmt: skip


def test_an_id_that_is_used_again_is_numbered(page):
    parsed = page("".join(f"<p id='{name}'>x</p>" for name in ("a", "a-2", "a", "b", "a")))
    assert [one.id.partition("#")[2] for one in parsed.components] == ["a", "a-2", "a-3", "b", "a-4"]


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ('<span class="lines"><span>count</span><span>count_if</span></span>', "count count_if"),
        ('<span class="k"><span class="n">wo</span><span class="n">rd</span></span>', "word"),
        ("<span>wo</span><span>rd</span>", "word"),
        ('<span class="c">a <span>wo</span><span>rd</span></span>', "a word"),
    ],
)
def test_lines_that_a_style_sheet_sets_apart_are_not_glued(page, markup, text):
    assert [part.text for part in page(f"<p>{markup}</p>").components] == [text]


def test_items_of_some_sentences_are_components_of_their_own(page):
    told = "The default is 1,000. It can be raised when the program is built, and lowered while it runs. " * 5
    items = "".join(f'<li id="i{n}"><b>Limit {n}</b><p>{told}</p><ul><li>at {n}</li></ul></li>' for n in range(9))
    parsed = page(f'<p>Limits: <a href="#i3">one</a></p><ol>{items}</ol><p>End</p>')
    assert [text.split("\n")[0] for text in texts(parsed)] == ["Limits: one", *(f"Limit {n}" for n in range(9)), "End"]
    assert texts(parsed)[4].endswith("runs.\nat 3")
    short = page(f"<ul>{'<li>Of a few words, no more.</li>' * 200}</ul>")
    assert len(texts(short)) == 1
    few = page(f"<ul><li>{told}</li><li>{told}</li></ul>")
    assert len(texts(few)) == 1


@pytest.mark.parametrize(
    "cells", ["<td rowspan=2><img src='note.png'></td><th>Note</th></tr><tr><td colspan=2>{}</td>"]
)
def test_a_note_of_docbook_is_no_table(page, cells):
    parsed = page(
        f"<h2>Oil</h2><div class=note><table border=0><tr>{cells.format('<p>It burns.</p>')}</tr></table></div>"
    )
    assert sections(parsed) == [("Oil > Note", "It burns.")]


def test_a_table_in_a_block_called_note_stays_a_table(page):
    (component,) = page("<div class=note><table><tr><th>Oil<th>Litres<tr><td>Rape<td>4</table></div>").components
    assert component.table.rows == (("Rape", "4"),)


def test_one_line_of_code_beside_its_number_is_code(page):
    line = '<td class="blob-num" data-line-number="213"></td><td class="blob-code blob-code-inner">a = {</td>'
    assert texts(page(f"<table><tr>{line}</tr></table>")) == ["a = {"]


def test_a_list_laid_out_as_a_table_of_marks_and_texts_is_a_list(page):
    item = "<tr><td></td><td>{}</td><td><p>{}</p></td></tr>"
    parsed = page(f"<table>{item.format('•', 'Oil')}{item.format('•', 'Wick')}</table><p>a</p>"
                  f"<table><tbody>{item.format('1.', 'A note')}</tbody></table>")  # fmt: skip
    assert texts(parsed) == ["• Oil\n• Wick", "a", "1. A note"]


def test_a_table_of_ranks_stays_a_table(page):
    (component,) = page("<table><tr><td>1.<td>Ann<td>12<tr><td>2.<td>Bea<td>11</table>").components
    assert component.table.rows == (("1.", "Ann", "12"), ("2.", "Bea", "11"))


def test_a_row_with_one_cell_to_read_is_no_table(page):
    assert texts(page("<table><tr><td>Words of the day</td><td></td></tr></table>")) == ["Words of the day"]
