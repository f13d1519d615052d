import pytest

from backtrail.ingest.html.links import LinkTargets


@pytest.mark.parametrize(
    ("href", "target", "fragment", "kind"),
    [
        ("b.html", "guide/b.html", None, "internal"),
        ("./b.html?x=1#f%20g", "guide/b.html", "f g", "internal"),
        ("../b%20c.html", "b c.html", None, "internal"),
        ("/top.html", "top.html", None, "internal"),
        ("#f", "guide/a.html", "f", "internal"),
        ("?q#f", "guide/a.html", "f", "internal"),
        ("sub/", "guide/sub/index.html", None, "internal"),
        ("..", "index.html", None, "internal"),
        ("../../out.html", "../../out.html", None, "dead"),
        ("%2e%2e/%2e%2e/out.html", "%2e%2e/%2e%2e/out.html", None, "dead"),
        ("https://e.org/a#b", "https://e.org/a#b", None, "external"),
        ("//e.org/a", "https://e.org/a", None, "external"),
        ("mailto:a@e.org", "mailto:a@e.org", None, "external"),
        (" b.\nhtml ", "guide/b.html", None, "internal"),
    ],
)
def test_where_hrefs_lead(href, target, fragment, kind):
    link = LinkTargets("guide/a.html").link(href, "t")
    assert link is not None
    assert (link.target, link.component, link.kind) == (target, fragment, kind)


@pytest.mark.parametrize("href", ["javascript:void(0)", "JAVA\nSCRIPT:x", "data:text/html,x", "", "#", "  "])
def test_scripts_and_empty_links_are_dropped(href):
    assert LinkTargets("a.html").link(href) is None


@pytest.mark.parametrize(
    ("base", "target"),
    [
        ("docs/", "guide/docs/b.html"),
        ("../", "b.html"),
        ("docs/x.html", "guide/docs/b.html"),
        ("https://e.org/", "guide/b.html"),
        ("/abs/", "guide/b.html"),
        ("../../../", "guide/b.html"),
    ],
)
def test_only_a_relative_base_inside_the_folder_counts(base, target):
    link = LinkTargets("guide/a.html", base).link("b.html")
    assert link is not None
    assert link.target == target


def test_links_keep_their_text_and_component(page):
    parsed = page(
        "<p>see <a href=b.html>the <b>b</b></a>, <a href='javascript:x'>no</a></p><h2><a href=h.html>H</a></h2><p>q"
    )
    first, second = parsed.components
    assert [(link.target, link.anchor) for link in first.links] == [("b.html", "the b")]
    assert [(link.target, link.anchor) for link in second.links] == [("h.html", "H")]


def test_a_link_around_blocks_belongs_to_each(page):
    parsed = page("<a href=b.html><div>one</div><div>two</div></a>")
    assert [[link.anchor for link in component.links] for component in parsed.components] == [["one"], ["two"]]
