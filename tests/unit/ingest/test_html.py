import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backtrail.ingest.errors import UnreadableSource
from backtrail.ingest.html.parse import parse_page


def texts(parsed):
    return [component.text for component in parsed.components if component.text is not None]


def test_paragraphs_carry_their_heading_path_without_the_title(page):
    parsed = page("<title>Rivers</title><h1>Rivers</h1><p>a<h2>North</h2><p>b<h3>Deep</h3><p>c<h2>South</h2><p>d")
    assert parsed.document.title == "Rivers"
    assert [(c.text, c.section) for c in parsed.components] == [
        ("a", ""),
        ("b", "North"),
        ("c", "North > Deep"),
        ("d", "South"),
    ]


def test_a_first_heading_that_differs_from_the_title_stays_in_the_path(page):
    assert page("<title>Site</title><h1>Rivers</h1><p>a").components[0].section == "Rivers"


@pytest.mark.parametrize(
    ("markup", "title"),
    [("<title> A\n b </title><p>x", "A b"), ("<h1>Head</h1><p>x", "Head"), ("<p>x", "page")],
)
def test_title_comes_from_title_heading_or_file_name(page, markup, title):
    assert page(markup).document.title == title


def test_the_furniture_of_a_site_is_left_out_but_the_documents_own_header_is_not(page):
    parsed = page(
        "<header><a href=/>Site</a></header><nav>menu</nav><article><header><h1>Own</h1><p>lead</p></header>"
        "<aside class=ad>advert</aside><p>body</p></article><footer>(c)</footer><script>x()</script><style>p{}</style>"
        "<div hidden>h</div><p style='color:red; Display : None'>h</p><!-- c --><template>t</template>"
    )
    assert texts(parsed) == ["lead", "body"]


def test_a_body_that_is_hidden_until_scripts_run_is_read(page):
    assert texts(page("<body style='display:none'><p>a</body>")) == ["a"]


def test_lists_definitions_quotes_and_code_stay_whole(page):
    parsed = page(
        "<ul><li>one<ul><li>two</ul><li><p>three</p></ul><ol><li>x</ol>"
        "<dl><dt>t<dd><p>d</p><dt>u<dd>e</dl><blockquote><p>q<p>r</blockquote><pre>if a:\n    b\n</pre>"
    )
    assert texts(parsed) == ["one\ntwo\nthree", "x", "t: d\nu: e", "q\nr", "if a:\n    b"]


def test_a_list_that_arranges_sections_is_not_one_component(page):
    parsed = page("<ul><li><h2>A</h2><p>a</p></li><li><h2>B</h2><p>b</p></li></ul>")
    assert [(c.section, c.text) for c in parsed.components] == [("A", "a"), ("B", "b")]


def test_inline_markup_keeps_and_adds_no_spaces(page):
    parsed = page("<div>loose <b>te</b><i>xt</i><br>next\n  line&nbsp;x<sup>2</sup> H<sub>2</sub>O co\u00adop</div>")
    assert texts(parsed) == ["loose text next line x^2 H2O coop"]


def test_mathml_is_text_and_its_source_is_not_repeated(page):
    markup = "<p>Let <math><semantics><mi>x</mi><mo>=</mo><mn>1</mn><annotation>x = 1</annotation></semantics></math>."
    assert texts(page(markup)) == ["Let x = 1."]


def test_long_paragraphs_are_not_cut(page):
    assert len(texts(page(f"<p>{'word ' * 1000}"))[0]) == 4999


def test_component_ids_use_element_ids_and_count_otherwise(page):
    parsed = page(
        "<p>a<p id=x>b<p id=x>c<p id=text-1>d<table id=t><tr><th>h<tr><td>1</table><div>e<p>It says f to all.</div>"
    )
    assert [component.id for component in parsed.components] == [
        "page.html#text-1",
        "page.html#x",
        "page.html#x-2",
        "page.html#text-1-2",
        "page.html#t",
        "page.html#text-5",
        "page.html#text-6",
    ]
    assert parsed.components[1].locator.fragment == "x"
    assert [component.position for component in parsed.components] == list(range(7))


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


def test_deep_nesting_of_lists_is_reported(page):
    parsed = page("<p>before" + "<ul><li>" * 3000 + "deep")
    assert texts(parsed)[0] == "before"
    assert "not read" in parsed.skipped[0].reason


@pytest.mark.parametrize(
    "markup",
    [
        "<p>a<b>b<p>c</b></i></p></div><table><td>x<p>y",
        "<<p>>a</p <p>",
        "<html><head><title>t</head><body></body></html><p>late",
        "<frameset><frame src=x></frameset>",
        "<!-- only a comment -->",
        "<a href='x>never closed",
        "<table><table><table>",
        "<select><option>1<p>2",
        "\x00<p>a\x01b&#0;&#xD800;</p>".replace("\x00", ""),
    ],
)
def test_broken_markup_is_no_error(page, markup):
    page(markup)


@pytest.mark.parametrize(
    "content",
    [
        "<p>Zürich – “ok”".encode("cp1252"),
        "<meta charset=iso-8859-1><p>Zürich – “ok”".encode("cp1252"),
        "<meta charset=windows-1251><p>Zürich – “ok”".encode(),
        "<meta charset=utf-8><p>Zürich – “ok”".encode("cp1252"),
        "<meta charset=no-such><p>Zürich – “ok”".encode(),
        "<meta charset=utf-16><p>Zürich – “ok”".encode(),
        "<meta charset=hex><p>Zürich – “ok”".encode("cp1252"),
        "\ufeff<p>Zürich – “ok”".encode(),
        "\ufeff<p>Zürich – “ok”".encode("utf-16-le"),
        "<p>Zürich – “ok”".encode("utf-16"),
        "<p>Zürich – “ok”".encode("utf-32"),
        '<?xml version="1.0" encoding="windows-1252"?><html><body><p>Zürich – “ok”</p></body></html>'.encode("cp1252"),
    ],
)
def test_any_encoding_is_read(page, content):
    assert texts(page(content)) == ["Zürich – “ok”"]


def test_a_declared_charset_other_than_latin_is_honoured(page):
    assert texts(page("<meta charset=koi8-r><p>Привет".encode("koi8-r"))) == ["Привет"]


def test_wellformed_xhtml_may_close_its_scripts(page):
    markup = (
        '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>X</title><script src="a"/></head>'
        '<body><a id="here"/><p>a</p></body></html>'
    )
    parsed = page(markup)
    assert texts(parsed) == ["a"]
    assert parsed.fragments == {"here": "page.html#text-1"}


def test_entities_of_an_xhtml_page_reach_no_file(page, tmp_path):
    (tmp_path / "secret").write_text("secret")
    markup = (
        f'<?xml version="1.0"?><!DOCTYPE html [<!ENTITY x SYSTEM "file://{tmp_path}/secret">]>'
        "<html><body><p>a &x; b</p></body></html>"
    )
    assert "secret" not in " ".join(texts(page(markup)))


@pytest.mark.parametrize("content", [b"", b"  \n", b"\x89PNG\r\n\x1a\n\x00\x00", b"%PDF-1.4 x", b"a\x00b" * 10])
def test_empty_and_binary_files_say_what_to_do(page, content):
    with pytest.raises(UnreadableSource, match=r"(empty|binary).*\. (Remove|Give)"):
        page(content)


def test_a_page_without_content_is_reported(page):
    parsed = page("<title>T</title><body></body>")
    assert parsed.components == []
    assert parsed.document.summary == "T"
    assert "no text" in parsed.skipped[0].reason


def test_the_hash_changes_with_what_is_read_and_only_then(page, picture, tmp_path):
    markup = "<p>a</p><img src=p.png alt=x>"
    first = page(markup).content_hash
    assert page(markup + "<!-- c -->").content_hash == first
    assert page(markup + "<p>b").content_hash != first
    (tmp_path / "p.png").write_bytes(picture())
    assert page(markup).content_hash != first


def test_the_hash_includes_the_parser_version(page, monkeypatch):
    first = page("<p>a").content_hash
    monkeypatch.setattr("backtrail.ingest.finish.PARSER_VERSION", -1)
    assert page("<p>a").content_hash != first


TAGS = [
    *["p", "div", "a", "table", "tr", "td", "th", "caption", "thead", "ul", "li", "dl", "dt", "dd", "figure"],
    *["figcaption", "img", "h1", "h2", "pre", "b", "br", "header", "nav", "body"],
]
pieces = st.one_of(
    st.sampled_from([f"<{tag}>" for tag in TAGS] + [f"</{tag}>" for tag in TAGS]),
    st.sampled_from(["<a href=x.html id=a>", "<td colspan=3 rowspan=0>", "<p id=a>", "<img alt=x src=y id=a>", " w "]),
    st.text(max_size=5),
)


@settings(max_examples=300, deadline=None)
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


def test_a_charset_that_is_declared_late_is_honoured(page):
    late = f"<html><head><!--{'x' * 8000}--><meta charset=windows-1251></head><body><p>Аренда квартир</p></body></html>"
    (component,) = page(late.encode("cp1251")).components
    assert component.text == "Аренда квартир"
