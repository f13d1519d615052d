"""Pictures of pages: their files, their captions and what stands around them."""

import base64
import hashlib
from pathlib import Path

import pytest
from fixtures.parsed import pictures, shown

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


NOT_HAD = {
    "outside the ingested folder": ["../../secret.png", "%2e%2e/%2E%2e/secret.png", "link.png"],
    "absolute": ["/etc/secret.png"],
    "file: addresses": ["file:///etc/secret.png"],
    "not fetched": ["http://e.org/x.png"],
    "not a picture": ["data:image/png;base64,AAAA", "text.png"],
    "damaged": ["data:image/png;base64,A", "vector.svg"],
    "no such file": ["gone.png", "a%00b.png", "x" * 5000 + ".png"],
}


@pytest.mark.parametrize(("reason", "sources"), NOT_HAD.items())
def test_pictures_that_cannot_be_had_keep_their_texts(page, picture, tmp_path: Path, reason, sources):
    (tmp_path.parent / "secret.png").write_bytes(picture())
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "link.png").symlink_to(tmp_path.parent / "secret.png")
    (tmp_path / "sub" / "vector.svg").write_text("<?xml version='1.0'?><html><svg/></html>")
    (tmp_path / "sub" / "text.png").write_text("hello")
    parsed = page("<p>p</p>" + "".join(f'<img src="{one}" alt="kept {one}">' for one in sources), "sub/page.html")
    assert pictures(parsed) == [(f"kept {one}", "") for one in sources]
    assert parsed.blobs == {}
    assert len(parsed.skipped) == len(sources)
    assert all(reason in part.reason for part in parsed.skipped)


def test_spacers_are_dropped_and_a_picture_with_neither_file_nor_words_is_only_reported(page, picture, tmp_path):
    (tmp_path / "dot.png").write_bytes(picture(1, 1))
    parsed = page("<p>a</p><img src=dot.png><img src=dot.png alt=dot><img id=i src=gone.png><p>b")
    assert shown(parsed) == [("", "a"), ("", "dot"), ("", "b")]
    assert parsed.fragments["i"] == parsed.components[2].id
    assert len(parsed.skipped) == 2


def test_a_picture_inside_a_paragraph_follows_it_and_its_surroundings_are_of_its_section(page):
    parsed = page(
        "<p id=p>one <img src=x.png alt=A> two</p><p id=q><img id=i src=y.png alt=B> three</p>"
        f"<h2>S</h2><img src=x alt=C><p>{'word ' * 200}"
    )
    assert shown(parsed)[:4] == [("", "one two"), ("", "A"), ("", "B"), ("", "three")]
    ids = [component.id.removeprefix("page.html#") for component in parsed.components]
    assert ids[:4] == ["p", "image-1", "i", "q"]
    nearby = parsed.components[4].image.nearby
    assert (nearby.startswith("word word"), 290 <= len(nearby) <= 300) == (True, True)


CAPTIONS = {
    "thumb": f'<div class="thumb tright"><div class="thumbinner"><a href="f">{IMG}</a><div class="thumbcaption">'
    '<div class="magnify"><a href="f"></a></div>A <b>duck</b></div></div></div>',
    "sphinx": f'<div class="figure">{IMG}<p class="caption"><span class="caption-text">A duck</span></p></div>',
    "italics": f"<p>{IMG}<br><em>A duck</em></p>",
}


@pytest.mark.parametrize("markup", CAPTIONS.values(), ids=CAPTIONS)
def test_captions_are_those_of_their_picture(page, markup):
    assert pictures(page(f"<p>Before it all.</p>{markup}<p>After.")) == [("A", "A duck")]


BOX = '<li class="gallerybox"><img src={0}.png alt={0}><div class="gallerytext">No. {0}</div></li>'
SEVERAL = {
    "a caption for each": (f'<ul class="gallery">{BOX.format("a")}{BOX.format("b")}</ul>', ["No. a", "No. b"]),
    "a caption for both": (
        "<figure><img src=a alt=A><img src=b alt=B><figcaption>Both</figcaption></figure>", ["Both", "Both"]
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
        '<img src="img/placeholder.gif" data-srcset="s.png 300w, a.png 900w" alt="A">',
        '<picture><source srcset="a.png 2x, s.png"><img src="gone.webp" alt="A"></picture>',
        '<noscript><img src="a.png" alt="A"></noscript>',
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
    assert [part.picture for part in parsed.skipped] == ["the page contains only a placeholder"]
