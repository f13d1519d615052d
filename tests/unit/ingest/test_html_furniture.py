"""What of a saved page is its site's and not its own."""

import pytest

PROSE = "The lamp burns oil, and a lamp of this size burns about four litres of it in a month of long nights. " * 3
MENU = "".join(f'<li><a href="p{n}.html">Another page, number {n}</a></li>' for n in range(9))


def texts(parsed):
    return [component.text for component in parsed.components if component.text]


@pytest.mark.parametrize(
    "furniture",
    [
        '<div id="cookie-banner"><p>We use cookies, and so on and on.</p><button>Yes</button></div>',
        f'<div class="sidebar-left"><ul>{MENU}</ul></div>',
        f'<div class="relatedPosts"><h3>More</h3><ul>{MENU}</ul></div>',
        '<div class="share-buttons"><a href="https://e.org">Share this</a></div>',
        '<ol class="breadcrumb"><li><a href="/">Home</a></li><li>Lamps</li></ol>',
        '<p><a href="https://github.com/a/b/edit/main/docs/lamp.md">Edit this page</a></p>',
        '<span class="sr-only">Skip to contents</span>',
        f'<div><ul>{MENU}</ul></div>',
        '<table summary="Navigation header"><tr><td><a href="a.html">Prev</a><th>Lamps</table>',
        '<table class="nav"><tr><td><a href="a.html">&lt;&lt; Wicks</a><td><a href="c.html">Up</a></table>',
    ],
    ids=["cookies", "sidebar", "related", "share", "breadcrumb", "edit", "readers", "unnamed-menu", "docbook", "nav"],
)  # fmt: skip
def test_furniture_is_left_out(page, furniture):
    assert (
        texts(page(f"<body><h1>Lamp</h1>{furniture}<div><p>{PROSE}</p><p>{PROSE}</p></div></body>"))
        == [PROSE.strip()] * 2
    )


@pytest.mark.parametrize(
    "content",
    [
        f'<div class="sidebar"><p>{PROSE}</p></div>',
        '<div class="header-note"><p>Mind the glass, it is hot.</p></div>',
        '<div class="related"><table><tr><th>Oil<th>Litres<tr><td>Rape<td>4</table></div>',
        '<ul><li><a href="a.html">Wicks</a></li><li><a href="b.html">Oils</a></li></ul>',
        '<section><aside class="note"><p>Trim the wick daily.</p></aside></section>',
        '<div class="banner"><h2>Oils</h2><p>Rape and whale.</p></div>',
        f'<section><h2>See also</h2><ul>{MENU}</ul></section>',
        f'<table class="nav"><tr><td><a href="a.html">Wicks</a><td>{PROSE}</table>',
    ],
    ids=["prose", "note", "table", "short-list", "aside", "heading", "see-also", "said-in-a-table"],
)  # fmt: skip
def test_what_is_to_be_read_stays_whatever_it_is_called(page, content):
    bare = page(f"<body><h1>Lamp</h1><main><p>{PROSE}</p><p>{PROSE}</p></main></body>", "bare.html")
    parsed = page(f"<body><h1>Lamp</h1><main><p>{PROSE}</p>{content}<p>{PROSE}</p></main></body>")
    assert len(parsed.components) > len(bare.components)


def test_only_the_main_part_is_read_where_a_page_names_it(page):
    around = "<div><p>Call us at any time, day or night, under this number.</p></div>"
    parsed = page(f"<body>{around}<main><h1>Lamp</h1><p>{PROSE}</p></main>{around}</body>")
    assert texts(parsed) == [PROSE.strip()]


def test_a_main_part_that_is_nearly_empty_is_not_believed(page):
    assert PROSE.strip() in texts(page(f"<body><main><p>Loading</p></main><div><p>{PROSE}</p></div></body>"))


def test_a_page_of_links_keeps_them(page):
    parsed = page(f"<title>Index</title><body><h1>All pages</h1><ul>{MENU}</ul></body>")
    assert len(parsed.components[0].links) == 9


def test_places_in_what_is_left_out_lead_to_what_follows(page):
    parsed = page(f'<body><div class="breadcrumb"><a id="top" href="/">Home</a></div><p id="p">{PROSE}</p></body>')
    assert parsed.fragments["top"] == "page.html#p"


def test_sections_have_no_links_to_edit_them_and_titles_no_site(page):
    parsed = page(
        "<title>Lamp - The Lighthouse Wiki</title><h1>Lamp</h1><h2><span>Oil</span><span class=mw-editsection>[<a "
        'href="e">edit</a>]</span></h2><p>Rape.</p><h2 id=w>Wick<a class="hash-link" href="#w">\u200b</a></h2><p>Long.'
    )
    assert parsed.document.title == "Lamp"
    assert [component.section for component in parsed.components] == ["Oil", "Wick"]
    assert not any(component.links for component in parsed.components)


def test_markdown_is_no_saved_page(tmp_path):
    from backtrail.ingest.markdown.parse import parse_markdown

    (tmp_path / "a.md").write_text(f'# Lamp\n\n<div class="sidebar"><ul>{MENU}</ul></div>\n\n{PROSE}\n')
    assert len(parse_markdown(tmp_path / "a.md", "a.md", tmp_path).components) == 2


def test_what_readers_without_scripts_see_is_read_where_it_is_the_text(page):
    assert texts(page(f"<p>A.</p><noscript><p>{PROSE * 2}</p></noscript><noscript>Switch scripts on</noscript>")) == [
        "A.", (PROSE * 2).strip(),
    ]  # fmt: skip
