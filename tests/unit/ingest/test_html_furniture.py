"""What of a saved page is its site's and not its own, and what only looks like it: by name or links."""

import pytest
from fixtures.parsed import shown, texts

PROSE = "The lamp burns oil, and a lamp of this size burns about four litres of it in a month of long nights. " * 3
READ_PROSE = PROSE.strip()
MENU = "".join(f'<li><a href="p{n}.html">Another page, number {n}</a></li>' for n in range(9))

FURNITURE = {
    "cookies": '<div id="cookie-banner"><p>We use cookies, and so on and on.</p><button>Yes</button></div>',
    "related": f'<div class="relatedPosts"><h3>More</h3><ul>{MENU}</ul></div>',
    "breadcrumb": '<ol class="breadcrumb"><li><a href="/">Home</a></li><li>Lamps</li></ol>',
    "unnamed menu": f"<div><ul>{MENU}</ul></div>",
    "nav": '<table class="nav"><tr><td><a href="a.html">&lt;&lt; Wicks</a><td><a href="c.html">Up</a></table>',
    "menu in a footer": f"<footer><nav>{MENU} (312) 555-0199</nav></footer>",
}


@pytest.mark.parametrize("furniture", FURNITURE.values(), ids=FURNITURE)
def test_furniture_is_left_out(page, furniture):
    parsed = page(f"<body><h1>Lamp</h1>{furniture}<div><p>{PROSE}</p><p>{PROSE}</p></div></body>")
    assert texts(parsed) == [READ_PROSE] * 2


KEPT = {
    "prose": f'<div class="sidebar"><p>{PROSE}</p></div>',
    "table": '<div class="related"><table><tr><th>Oil<th>Litres<tr><td>Rape<td>4</table></div>',
    "aside": '<section><aside class="note"><p>Trim the wick daily.</p></aside></section>',
    "see also": f"<section><h2>See also</h2><ul>{MENU}</ul></section>",
    "said in a table": f'<table class="nav"><tr><td><a href="a.html">Wicks</a><td>{PROSE}</table>',
}


@pytest.mark.parametrize("content", KEPT.values(), ids=KEPT)
def test_what_is_to_be_read_stays_whatever_it_is_called(page, content):
    bare = page(f"<body><h1>Lamp</h1><main><p>{PROSE}</p><p>{PROSE}</p></main></body>", "bare.html")
    parsed = page(f"<body><h1>Lamp</h1><main><p>{PROSE}</p>{content}<p>{PROSE}</p></main></body>")
    assert len(parsed.components) > len(bare.components)


AROUND = "<div><p>Call us at any time, day or night, under this number.</p></div>"
MAIN = {
    "the part that a page names": (
        f"<body>{AROUND}<main><h1>Lamp</h1><p>{PROSE}</p></main>{AROUND}</body>", [READ_PROSE]
    ),
    "not one that is nearly empty": (
        f"<body><main><p>Loading</p></main><div><p>{PROSE}</p></div></body>", ["Loading", READ_PROSE]
    ),
    "what readers without scripts see": (
        f"<p>A.</p><noscript><p>{PROSE * 2}</p></noscript><noscript>Switch scripts on</noscript>",
        ["A.", (PROSE * 2).strip()],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("markup", "found"), MAIN.values(), ids=MAIN)
def test_what_is_the_text_of_a_page(page, markup, found):
    assert texts(page(markup)) == found


def test_pages_of_links_and_pages_of_markdown_keep_menus(page, note):
    assert len(page(f"<title>Index</title><body><h1>All pages</h1><ul>{MENU}</ul></body>").components[0].links) == 9
    assert len(note(f'# Lamp\n\n<div class="sidebar"><ul>{MENU}</ul></div>\n\n{PROSE}\n').components) == 2


def test_links_to_edit_a_section_and_to_itself_are_left_out(page):
    parsed = page(
        '<h1>Lamp</h1><h2><span>Oil</span><span class=mw-editsection>[<a href="e">edit</a>]</span></h2><p>Rape.</p>'
        '<h2 id=w>Wick<a class="hash-link" href="#w">\u200b</a></h2><p>Long.<h2 id=a>A<a href="#a">¶</a></h2><p>x'
    )
    crumbs = page(f'<body><div class="breadcrumb"><a id="top" href="/">Home</a></div><p id="p">{PROSE}</p></body>')
    assert crumbs.fragments["top"] == "page.html#p", "places in what is left out lead to what follows"
    assert [component.section for component in parsed.components] == ["Oil", "Wick", "A"]
    assert not any(component.links for component in parsed.components)


def test_contact_data_in_a_footer_is_read_in_a_section_of_its_own(page):
    foot = (
        f'<div class="site-footer"><nav>{MENU}</nav><h3>Contact</h3><address>Lamp Office<br>1 Quay, Wick<br>'
        '<a href="mailto:o@lamp.example">o@lamp.example</a></address></div>'
    )
    parsed = page(f"<h1>Lamp</h1><h2>Oils</h2><p>{PROSE}</p>{foot}")
    said = "\n".join(text for section, text in shown(parsed) if section == "Contact")
    assert "Office" in said
    assert "o@lamp.example" in said
    assert "Another page" not in " ".join(texts(parsed))


BYLINES = {
    "date": '<div class="widget"><a href="a">Ann Lamp</a> <a href="d">May 9, 2023</a></div>',
    "author": '<div class="post-header"><a href="a">By Ann Lamp</a></div>',
}


@pytest.mark.parametrize("said", BYLINES.values(), ids=BYLINES)
def test_who_wrote_a_page_and_when_stays_before_its_text_and_goes_below_it(page, said):
    body = f"<div><p>{PROSE}</p><p>{PROSE}</p></div>"
    assert len(texts(page(f"<article><h1>Lamp</h1>{said}{body}</article>"))) == 3
    assert len(texts(page(f"<article><h1>Lamp</h1>{body}{BYLINES['date']}</article>"))) == 2
