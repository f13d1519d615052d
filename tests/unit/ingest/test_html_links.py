import pytest

from backtrail.ingest.html.links import LinkTargets


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
