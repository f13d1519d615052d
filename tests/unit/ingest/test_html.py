"""Pages of HTML: encodings, titles, formulas and links."""

import tempfile
from pathlib import Path

import pytest
from fixtures.parsed import shown, texts
from hypothesis import example, given, settings
from hypothesis import strategies as st

from backtrail.ingest.errors import UnreadableSource
from backtrail.ingest.html.links import LinkTargets
from backtrail.ingest.html.parse import parse_page

READ = {
    "headings": (
        "<title>Rivers</title><h1>Rivers</h1><p>a<h2>North</h2><p>b<h3>Deep</h3><p>c<h2>South</h2><p>d",
        [("", "a"), ("North", "b"), ("North > Deep", "c"), ("South", "d")],
    ),
    "furniture of a site, but not a document's own header": (
        "<header><a href=/>Site</a></header><nav>menu</nav><article><header><h1>Own</h1><p>lead</p></header>"
        "<aside class=ad>advert</aside><p>body</p></article><footer>(c)</footer><script>x()</script><style>p{}</style>"
        "<div hidden>h</div><p style='color:red; Display : None'>h</p><!-- c --><template>t</template>",
        [("", "lead"), ("", "body")],
    ),
    "lists, definitions, quotes and code": (
        "<ul><li>one<ul><li>two</ul><li><p>three</p></ul><ol><li>x</ol>"
        "<dl><dt>t<dd><p>d</p><dt>u<dd>e</dl><blockquote><p>q<p>r</blockquote><pre>if a:\n    b\n</pre>",
        [("", "one\ntwo\nthree"), ("", "x"), ("", "t: d\nu: e"), ("", "q\nr"), ("", "if a:\n    b")],
    ),
    "inline markup": (
        "<div>loose <b>te</b><i>xt</i><br>next\n  line&nbsp;x<sup>2</sup> H<sub>2</sub>O co\u00adop</div>",
        [("", "loose text next line x^2 H2O coop")],
    ),
    "a page without content": ("<title>T</title><body></body>", []),
}


@pytest.mark.parametrize(("markup", "found"), READ.values(), ids=READ)
def test_what_is_read_of_a_page(page, markup, found):
    parsed = page(markup)
    assert shown(parsed) == found
    assert found or "no text" in parsed.skipped[0].reason


@pytest.mark.parametrize(
    ("markup", "title"),
    [
        ("<title> A\n b </title>", "A b"),
        ("", "page"),
        ("<body><h1>690</h1><div><title>Lamps — Lights</title></div><h1>Lamps</h1>", "Lamps"),
        ('<meta property="og:title" content="Lamps">', "Lamps"),
        ("<title>1984</title>", "1984"),
        ("<title>Lamp - The Lighthouse Wiki</title><h1>Lamp</h1>", "Lamp"),
    ],
)
def test_titles_come_from_the_title_the_heading_or_the_file(page, markup, title):
    assert page(f"{markup}<p>a</p>").document.title == title


def test_component_ids_use_element_ids_and_count_otherwise(page):
    parsed = page(
        "<p>a<p id=x>b<p id=x>c<p id=text-1>d<table id=t><tr><th>h<tr><td>1</table><div>e</div><p>f</p>"
        "<p id=x-2>g<p id=x>h"
    )
    assert [component.id.removeprefix("page.html#") for component in parsed.components] == [
        "text-1", "x", "x-2", "text-1-2", "t", "text-5", "text-6", "x-2-2", "x-3",
    ]  # fmt: skip
    assert parsed.components[1].locator.fragment == "x"
    assert [component.position for component in parsed.components] == list(range(9))


def test_every_element_id_leads_to_the_component_that_holds_it_or_follows(page):
    parsed = page(
        "<section id=s><h2 id=h>H</h2><p>a <span id=in>b</span><a name=old></a></section><nav id=n>x</nav>"
        "<table><tr id=row><td id=cell>1<td>2</table><ul><li id=item>x</ul><div id=end></div>"
    )
    first, table, items = (component.id for component in parsed.components)
    assert parsed.fragments == {
        "s": first, "h": first, "in": first, "old": first, "n": table, "row": table, "cell": table, "item": items,
        "end": items,
    }  # fmt: skip


@pytest.mark.parametrize("depth", [300, 10_000])
def test_deep_nesting_neither_crashes_nor_loses_text(page, depth):
    parsed = page("<div>" * depth + "<p>deep" + "</div>" * depth + "<p>after")
    assert texts(parsed) == ["deep", "after"]
    assert "nested too deeply" in parsed.skipped[0].reason
    assert "not read" in page("<p>before" + "<ul><li>" * 3000 + "deep").skipped[0].reason


LETTERS = "<p>Zürich – “ok”"
LATE = f"<!--{'x' * 8000}--><meta charset=windows-1251>"


@pytest.mark.parametrize(
    ("markup", "encoding"),
    [
        (LETTERS, "cp1252"),
        (f"<meta charset=iso-8859-1>{LETTERS}", "cp1252"),
        (f"<meta charset=windows-1251>{LETTERS}", "utf-8"),
        (f"\ufeff{LETTERS}", "utf-8"),
        (f"\ufeff{LETTERS}", "utf-16-le"),
        (f'<?xml version="1.0" encoding="windows-1252"?><html><body>{LETTERS}</p></body></html>', "cp1252"),
        (f"<html><head>{LATE}</head><body><p>Аренда квартир</p></body></html>", "cp1251"),
    ],
)
def test_any_encoding_is_read(page, markup, encoding):
    (text,) = texts(page(markup.encode(encoding)))
    assert text in ("Zürich – “ok”", "Привет", "Аренда квартир")


def test_wellformed_xhtml_may_close_its_scripts_and_its_entities_reach_no_file(page, tmp_path):
    head = '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>X</title><script src="a"/></head>'
    parsed = page(f'<?xml version="1.0"?>{head}<body><a id="here"/><p>a</p></body></html>')
    assert texts(parsed) == ["a"]
    assert parsed.fragments == {"here": "page.html#text-1"}
    (tmp_path / "secret").write_text("secret")
    entity = f'<!DOCTYPE html [<!ENTITY x SYSTEM "file://{tmp_path}/secret">]>'
    assert "secret" not in " ".join(
        texts(page(f'<?xml version="1.0"?>{entity}{head}<body><p>a &x; b</p></body></html>'))
    )


@pytest.mark.parametrize("content", [b"", b"  \n", b"\x89PNG\r\n\x1a\n\x00\x00", b"%PDF-1.4 x", b"a\x00b" * 10])
def test_empty_and_binary_files_say_what_to_do(page, content):
    with pytest.raises(UnreadableSource, match=r"(empty|binary).*\. (Remove|Give)"):
        page(content)


def test_the_hash_changes_with_what_is_read_and_the_parser_and_only_then(page, picture, tmp_path, monkeypatch):
    markup = "<p>a</p><img src=p.png alt=x>"
    first = page(markup).content_hash
    assert page(markup + "<!-- c -->").content_hash == first
    assert page(markup + "<p>b").content_hash != first
    with monkeypatch.context() as patch:
        patch.setattr("backtrail.ingest.finish.PARSER_VERSION", -1)
        assert page(markup).content_hash != first
    (tmp_path / "p.png").write_bytes(picture())
    assert page(markup).content_hash != first


TAGS = [
    *["p", "div", "a", "table", "tr", "td", "th", "caption", "thead", "ul", "li", "dl", "dt", "dd", "figure"],
    *["figcaption", "img", "h1", "h2", "pre", "b", "br", "header", "nav", "body"],
]
pieces = st.one_of(
    st.sampled_from([f"<{tag}>" for tag in TAGS] + [f"</{tag}>" for tag in TAGS]),
    st.sampled_from(["<a href=x.html id=a>", "<td colspan=3 rowspan=0>", "<p id=a>", "<img alt=x src=y id=a>", " w "]),
    st.text(max_size=5),
)


@settings(max_examples=300)
@example("<p>a<b>b<p>c</b></i></p></div><table><td>x<p>y")
@example("<<p>>a</p <p>")
@example("<p>a\x01b&#0;&#xD800;</p>")
@given(st.lists(pieces, max_size=25).map("".join))
def test_any_markup_gives_a_consistent_document(markup):
    folder = Path(tempfile.gettempdir())
    parsed = parse_page(markup, folder / "page.html", "page.html", folder)
    ids = [component.id for component in parsed.components]
    assert len(set(ids)) == len(ids)
    assert set(parsed.fragments.values()) <= set(ids)
    for component in parsed.components:
        if component.text is not None:
            assert component.text.strip()
        if component.table is not None:
            width = len(component.table.header)
            assert all(len(row) == width for row in component.table.rows)
            for link in component.links:
                assert link.row is None or link.row < len(component.table.rows)
                assert link.column is None or link.column < width


MATHML = "<math {}><semantics><msup><mi>a</mi><mn>2</mn></msup>{}</semantics></math>"
ANNOTATED = MATHML.format("", '<annotation encoding="application/x-tex">a^{2}</annotation>')


@pytest.mark.parametrize(
    "formula",
    [
        ANNOTATED,
        MATHML.format('alttext="{\\displaystyle a^{2}}"', ""),
        f'<span class="mwe-math-element"><span class="mwe-math-mathml-inline" style="display: none">{ANNOTATED}</span>'
        '<img src="x.svg" class="mwe-math-fallback-image-inline" alt="a^{2}"></span>',
        '<span class="MathJax_Preview"></span><span class="MathJax" id="e1"><nobr>a2</nobr></span>'
        '<script type="math/tex" id="e2">a^{2}</script>',
    ],
)
def test_a_formula_is_read_once_as_its_tex(page, formula):
    parsed = page(f"<p>Let {formula} be.</p>")
    assert texts(parsed) == ["Let $a^{2}$ be."]
    assert not any(component.image for component in parsed.components)


@pytest.mark.parametrize(
    ("mathml", "text"),
    [
        ("<mi>x</mi><mo>=</mo><mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></mfrac>", "x = (a+b)/2"),
        ("<msqrt><msup><mi>x</mi><mn>2</mn></msup></msqrt>", "√(x^2)"),
    ],
)  # fmt: skip
def test_mathml_without_tex_is_one_line(page, mathml, text):
    assert texts(page(f"<p>{'So '}<math>{mathml}</math></p>")) == [f"So {text}"]
    assert page("<p>x</p><math>" + "<mrow>" * 200 + "<mi>y</mi>").components, "what is nested beyond all bounds ends"
    assert texts(page(f"<p>So <mjx-container><svg></svg><mjx-assistive-mml><math>{mathml}</math>"
                      "</mjx-assistive-mml></mjx-container></p>")) == [f"So {text}"]  # fmt: skip


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ('said.<sup><a href="#n3">3</a></sup> Acme<sup>TM</sup>', "said.[3] AcmeTM"),
        ("5 km<sup>2</sup>, x<sup>n+1</sup>, 10<sup>-3</sup>", "5 km^2, x^(n+1), 10^-3"),
        ("the 19<sup>th</sup> and 1<sup>er</sup>, M<sup>me</sup> Curie", "the 19th and 1er, Mme Curie"),
        ("H<sub>2</sub>O, x<sub>i</sub>, log<sub>2</sub> of 10<sub>2</sub>", "H2O, x_i, log2 of 10_2"),
        ("<ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby>を", "漢字を"),
    ],
)
def test_raised_and_lowered_text_stays_apart(page, markup, text):
    assert texts(page(f"<p>{markup}</p>")) == [text]


@pytest.mark.parametrize(
    ("href", "target", "fragment", "kind"),
    [
        ("./b.html?x=1#f%20g", "guide/b.html", "f g", "internal"),
        ("../b%20c.html", "b c.html", None, "internal"),
        ("/top.html", "top.html", None, "internal"),
        ("?q#f", "guide/a.html", "f", "internal"),
        ("sub/", "guide/sub/index.html", None, "internal"),
        ("../../out.html", "../../out.html", None, "dead"),
        ("https://e.org/a#b", "https://e.org/a#b", None, "external"),
    ],
)
def test_where_hrefs_lead(href, target, fragment, kind):
    link = LinkTargets("guide/a.html").link(href, "t")
    assert link is not None
    assert (link.target, link.component, link.kind) == (target, fragment, kind)


@pytest.mark.parametrize(
    ("base", "target"),
    [
        ("docs/", "guide/docs/b.html"),
        ("../", "b.html"),
        ("https://e.org/", "guide/b.html"),
        ("../../../", "guide/b.html"),
    ],
)
def test_only_a_relative_base_inside_the_folder_counts(base, target):
    link = LinkTargets("guide/a.html", base).link("b.html")
    assert link is not None
    assert link.target == target


def test_scripts_and_empty_links_are_dropped():
    hrefs = ("javascript:void(0)", "JAVA\nSCRIPT:x", "data:text/html,x", "", "#", "  ")
    assert [LinkTargets("a.html").link(href) for href in hrefs] == [None] * 6


def test_links_keep_their_text_and_component(page):
    parsed = page(
        "<p>see <a href=b.html>the <b>b</b></a>, <a href='javascript:x'>no</a></p><h2><a href=h.html>H</a></h2><p>q</p>"
        "<a href=b.html><div>one</div><div>two</div></a>"
    )
    assert [[(link.target, link.anchor) for link in one.links] for one in parsed.components] == [
        [("b.html", "the b")], [("h.html", "H")], [("b.html", "one")], [("b.html", "two")],
    ]  # fmt: skip
