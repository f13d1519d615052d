"""Pictures of pages: their files, their captions and what stands around them."""

import base64
import hashlib
import re
from pathlib import Path

import pytest
from fixtures.parsed import pictures, shown, texts

from backtrail.cli.show.ingest_lines import contents_lines
from backtrail.ingest.html.parse import parse_html
from backtrail.ingest.report import IngestReport

IMG = '<img src="a.png" alt="A">'


def test_a_figure_has_its_file_texts_and_surroundings(page, picture, tmp_path):
    (tmp_path / "img").mkdir()
    (tmp_path / "img" / "a b.png").write_bytes(picture())
    parsed = page(
        "<p>Before it.</p><figure id=f><a href=big.html><img src='../img/a%20b.png?v=2' alt=Alt title=Ti></a>"
        "<figcaption>Cap <a href=c.html id=cap>c</a></figcaption></figure><p>After it.",
        "sub/page.html",
    )
    before, component, after = parsed.components
    sha = hashlib.sha256(picture()).hexdigest()
    assert component.id == "sub/page.html#f"
    assert component.image.model_dump() == {
        "blob": sha, "title": "Ti", "caption": "Cap c", "alt": "Alt", "nearby": "Before it. After it.",
        "recognized": "", "objects": (),
    }  # fmt: skip
    assert [(link.target, link.anchor) for link in component.links] == [("sub/big.html", "Alt"), ("sub/c.html", "c")]
    assert parsed.fragments["f"] == parsed.fragments["cap"] == component.id
    assert parsed.blobs == {sha: tmp_path.resolve() / "img" / "a b.png"}
    assert (before.text, after.text) == ("Before it.", "After it.")


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("../../secret.png", "outside the ingested folder"),
        ("%2e%2e/%2E%2e/secret.png", "outside the ingested folder"),
        ("link.png", "outside the ingested folder"),
        ("/etc/secret.png", "absolute"),
        ("file:///etc/secret.png", "file: addresses"),
        ("C:\\secret.png", "absolute|addresses"),
        ("http://e.org/x.png", "not fetched"),
        ("//e.org/x.png", "not fetched"),
        ("data:image/png;base64,AAAA", "not a picture"),
        ("data:image/png;base64,A", "damaged"),
        ("gone.png", "no such file"),
        ("", "names no file"),
        ("a%00b.png", "no such file"),
        ("x" * 5000 + ".png", "no such file"),
        ("vector.svg", "the drawing is damaged"),
        ("text.png", "not a picture"),
        (".", "no such file"),
    ],
)
def test_pictures_that_cannot_be_had_keep_their_texts(picture, tmp_path: Path, source, reason):
    root = tmp_path / "outer" / "root"
    (root / "sub").mkdir(parents=True)
    (tmp_path / "outer" / "secret.png").write_bytes(picture())
    (root / "sub" / "link.png").symlink_to(tmp_path / "outer" / "secret.png")
    (root / "sub" / "vector.svg").write_text("<?xml version='1.0'?><html><svg/></html>")
    (root / "sub" / "text.png").write_text("hello")
    path = root / "sub" / "page.html"
    path.write_text(f'<p>p</p><img src="{source}" alt="kept">')
    parsed = parse_html(path, "sub/page.html", root)
    assert parsed.components[1].image.blob is None
    assert pictures(parsed) == [("kept", "")]
    assert parsed.blobs == {}
    (skipped,) = parsed.skipped
    assert re.search(reason, skipped.reason)


def test_a_picture_with_neither_file_nor_words_is_only_reported(page):
    parsed = page("<p>a</p><img id=i src=gone.png><p>b")
    assert texts(parsed) == ["a", "b"]
    assert parsed.fragments["i"] == parsed.components[1].id
    assert len(parsed.skipped) == 1


def test_spacers_are_dropped(page, picture, tmp_path):
    (tmp_path / "dot.png").write_bytes(picture(1, 1))
    assert shown(page("<p>a</p><img src=dot.png><img src=dot.png alt=dot>")) == [("", "a"), ("", "dot")]


def test_a_picture_inside_a_paragraph_follows_it(page):
    parsed = page("<p id=p>one <img src=x.png alt=A> two</p><p id=q><img id=i src=y.png alt=B> three</p>")
    assert shown(parsed) == [("", "one two"), ("", "A"), ("", "B"), ("", "three")]
    assert [component.id for component in parsed.components] == [
        f"page.html#{id_}" for id_ in ("p", "image-1", "i", "q")
    ]
    assert parsed.fragments == {"p": "page.html#p", "i": "page.html#i", "q": "page.html#q"}


def test_surroundings_are_at_most_300_characters_of_the_same_section(page):
    parsed = page(f"<p>other<h2>S</h2><img src=x alt=A><p>{'word ' * 200}")
    nearby = parsed.components[1].image.nearby
    assert nearby.startswith("word word")
    assert 290 <= len(nearby) <= 300


def test_pictures_on_the_web_are_counted_by_host(page):
    parsed = page(
        "<p>p</p><img src='https://CDN.e.org/1.png' alt=a><img src='//cdn.e.org:8080/2.png' alt=b><img src=c.png alt=c>"
    )
    report = IngestReport("any")
    report.count_parts(parsed)
    assert report.remote == {"cdn.e.org": 1, "cdn.e.org:8080": 1}
    assert sum(report.refused.values()) == 3
    assert "  on the web, not fetched: cdn.e.org: 1, cdn.e.org:8080: 1" in list(contents_lines(report))


@pytest.mark.parametrize("there", [True, False], ids=["with their files", "without"])
def test_buttons_of_a_page_are_no_pictures_of_it(page, picture, tmp_path: Path, there):
    if there:
        for name, side in {"up.png": 24, "part.png": 300}.items():
            (tmp_path / name).write_bytes(picture(side, side))
    top = "<p><a href='#page'><img src=up.png alt=top></a></p>"
    parsed = page(
        "<div id=page></div><a href='./'><img src=left.png alt='&lt;-'></a>"
        + "".join(f"<h2 id=s{n}>Part {n}</h2>{top}<p>What part {n} says.</p>" for n in range(4))
        + "<figure><img src=up.png alt=arrow><figcaption>The arrow that leads up.</figcaption></figure>"
        + "<img src=part.png alt=Part><p>One.</p><img src=part.png alt=Part><p>Two.</p>"
    )
    assert pictures(parsed) == [("arrow", "The arrow that leads up."), ("Part", ""), ("Part", "")]
    named = [one for one in parsed.skipped if one.picture == "repeated icons"]
    assert len(named) == 4
    assert named[0].reason == "an icon that the page shows 4 times"
    assert parsed.fragments["s2"]


CAPTIONS = {
    "thumb": f'<div class="thumb tright"><div class="thumbinner"><a href="f">{IMG}</a><div class="thumbcaption">'
    '<div class="magnify"><a href="f"></a></div>A <b>duck</b></div></div></div>',
    "gallery": f'<ul class="gallery"><li class="gallerybox"><div><div class="thumb">{IMG}</div>'
    '<div class="gallerytext"><p>A duck</p></div></div></li></ul>',
    "figure": f'<figure class="wp-caption">{IMG}<figcaption class="wp-caption-text">A duck</figcaption></figure>',
    "wp-caption": f'<div class="wp-caption">{IMG}<p class="wp-caption-text">A duck</p></div>',
    "sphinx": f'<div class="figure">{IMG}<p class="caption"><span class="caption-text">A duck</span></p></div>',
    "asciidoc": f'<div class="imageblock"><div class="content">{IMG}</div><div class="title">A duck</div></div>',
    "blogger": f'<table class="tr-caption-container"><tbody><tr><td>{IMG}</td></tr>'
    '<tr><td class="tr-caption">A duck</td></tr></tbody></table>',
    "wp-gallery": f'<dl class="gallery-item"><dt class="gallery-icon">{IMG}</dt>'
    '<dd class="gallery-caption">A duck</dd></dl>',
    "italics": f"<p>{IMG}<br><em>A duck</em></p>",
    "infobox": f'<table class="infobox"><tr><th colspan=2>Duck<tr><td colspan=2><a href=f>{IMG}</a>'
    '<div class="infobox-caption">A duck</div><tr><th>Order<td>Anseriformes</table>',
}


@pytest.mark.parametrize("markup", CAPTIONS.values(), ids=CAPTIONS)
def test_captions_are_those_of_their_picture(page, markup):
    assert pictures(page(f"<p>Before it all.</p>{markup}<p>After.")) == [("A", "A duck")]


BOX = '<li class="gallerybox"><img src={0}.png alt={0}><div class="gallerytext">No. {0}</div></li>'
TITLED = (
    '<div class="figure"><p class="title"><b>Figure 7.8. The <span>Lamp</span> House</b></p><div><img src="a.png" '
    'alt="House"><div class="caption">{}</div></div></div>'
)
SEVERAL = {
    "a caption for each": (f'<ul class="gallery">{BOX.format("a")}{BOX.format("b")}</ul>', ["No. a", "No. b"]),
    "a caption for both": (
        "<figure><img src=a alt=A><img src=b alt=B><figcaption>Both</figcaption></figure>", ["Both", "Both"]
    ),
    "a caption without a picture": ("<figure><img hidden src=a><figcaption>Cap</figcaption></figure>", ["Cap"]),
    "a caption far from any picture": (
        '<img src=logo.png alt=L><h2>One</h2><p class="caption">Chapter list</p>', ["L", "Chapter list"]
    ),
    "a title and a caption": (
        TITLED.format("Seen from the quay."), ["Figure 7.8. The Lamp House. Seen from the quay."]
    ),
    "a title that the caption repeats": (TITLED.format("The Lamp House."), ["Figure 7.8. The Lamp House"]),
    "a drawing in the page": (
        "<svg><title>Flow</title><text>Read it</text><g><text>Split it</text></g></svg><svg><text>OK</text></svg>",
        ["Flow: Read it; Split it"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("markup", "found"), SEVERAL.values(), ids=SEVERAL)
def test_each_picture_has_its_own_words(page, markup, found):
    assert [content for _, content in shown(page(markup))] == found


def embedded(content):
    return f"data:image/png;base64,{base64.b64encode(content).decode()}"


@pytest.mark.parametrize(
    "markup",
    [
        '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=" data-src="a.png" alt="A">',
        '<img src="img/placeholder.gif" data-srcset="s.png 300w, a.png 900w" alt="A">',
        '<img srcset="s.png 1x, a.png 2x" alt="A">',
        '<picture><source srcset="a.png 2x, s.png"><img src="gone.webp" alt="A"></picture>',
        '<img src="data:," alt="A"><noscript><img src="a.png" alt="A"></noscript>',
        '<noscript><img src="a.png" alt="A"></noscript>',
        '<img src="gone.jpg" data-orig-file="https://e.org/a.png" srcset="gone.jpg 1x,a.png 2x" alt="A">',
    ],
)
def test_pictures_that_load_late_are_found(page, picture, tmp_path, markup):
    (tmp_path / "a.png").write_bytes(picture())
    parsed = page(f"<p>Text.</p><div>{markup}</div>")
    assert pictures(parsed) == [("A", "")]
    assert list(parsed.blobs.values()) == [tmp_path.resolve() / "a.png"]
    assert not parsed.skipped


def test_pictures_in_the_page_itself_are_read_unless_they_hold_a_place(page, picture):
    parsed = page(f'<p>Text.</p><img src="{embedded(picture())}"><img src="{embedded(picture(1, 1))}" alt="A duck">')
    assert list(parsed.blobs.values()) == [picture()]
    assert pictures(parsed) == [("", ""), ("A duck", "")]
    assert [part.picture for part in parsed.skipped] == ["only a placeholder stands in the page"]
