import base64

import pytest


def pictures(parsed):
    return [(component.image.alt, component.image.caption) for component in parsed.components if component.image]


IMG = '<img src="a.png" alt="A">'


@pytest.mark.parametrize(
    "markup",
    [
        f'<div class="thumb tright"><div class="thumbinner"><a href="f">{IMG}</a><div class="thumbcaption">'
        '<div class="magnify"><a href="f"></a></div>A <b>duck</b></div></div></div>',
        f'<ul class="gallery"><li class="gallerybox"><div><div class="thumb">{IMG}</div>'
        '<div class="gallerytext"><p>A duck</p></div></div></li></ul>',
        f'<figure class="wp-caption">{IMG}<figcaption class="wp-caption-text">A duck</figcaption></figure>',
        f'<div class="wp-caption">{IMG}<p class="wp-caption-text">A duck</p></div>',
        f'<div class="figure align-default">{IMG}<p class="caption"><span class="caption-text">A duck</span></p></div>',
        f'<div class="imageblock"><div class="content">{IMG}</div><div class="title">A duck</div></div>',
        f'<table class="tr-caption-container"><tbody><tr><td>{IMG}</td></tr>'
        '<tr><td class="tr-caption">A duck</td></tr></tbody></table>',
        f'<dl class="gallery-item"><dt class="gallery-icon">{IMG}</dt><dd class="gallery-caption">A duck</dd></dl>',
        f"<p>{IMG}<br><em>A duck</em></p>",
        f'<table class="infobox"><tr><th colspan=2>Duck<tr><td colspan=2><a href=f>{IMG}</a>'
        '<div class="infobox-caption">A duck</div><tr><th>Order<td>Anseriformes</table>',
    ],
    ids=[
        "thumb", "gallery", "figure", "wp-caption", "sphinx", "asciidoc", "blogger", "wp-gallery", "italics", "infobox",
    ],
)  # fmt: skip
def test_captions_are_those_of_their_picture(page, markup):
    assert pictures(page(f"<p>Before it all.</p>{markup}<p>After.")) == [("A", "A duck")]


def test_each_picture_of_a_gallery_has_its_own_caption(page):
    boxes = "".join(
        f'<li class="gallerybox"><img src={n}.png alt={n}><div class="gallerytext">No. {n}</div></li>' for n in "ab"
    )
    assert pictures(page(f'<ul class="gallery">{boxes}</ul>')) == [("a", "No. a"), ("b", "No. b")]


def test_a_caption_far_from_any_picture_stays_text(page):
    parsed = page(f'<img src=logo.png alt=L><h2>One</h2><p class="caption">Chapter list</p><p>{"word " * 9}</p>')
    assert pictures(parsed) == [("L", "")]
    assert "Chapter list" in [component.text for component in parsed.components]


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


def test_pictures_in_the_page_itself_are_read(page, picture):
    parsed = page(f'<p>Text.</p><img src="{embedded(picture())}">')
    assert list(parsed.blobs.values()) == [picture()]


def test_a_placeholder_is_named_and_the_words_of_its_picture_stay(page, picture):
    parsed = page(f'<p>Text.</p><img src="{embedded(picture(1, 1))}" alt="A duck">')
    assert pictures(parsed) == [("A duck", "")]
    assert not parsed.blobs
    assert [part.picture for part in parsed.skipped] == ["only a placeholder stands in the page"]


def test_words_of_a_drawing_in_the_page_are_found(page):
    drawing = "<svg><title>Flow</title><text>Read the file</text><g><text>Split it</text></g></svg>"
    parsed = page(f"<p>How it goes:</p>{drawing}<svg><text>OK</text></svg>")
    assert pictures(parsed) == [("Flow: Read the file; Split it", "")]
    assert not parsed.skipped


def test_a_picture_with_a_title_and_a_caption_has_both(page):
    block = (
        '<div class="figure"><p class="title"><b>Figure 7.8. The <span>Lamp</span> House</b></p><div><img src="a.png" '
        'alt="House"><div class="caption">Seen from the quay.</div></div></div>'
    )
    (component,) = page(f"<h2>Lamp</h2>{block}").components
    assert component.image.caption == "Figure 7.8. The Lamp House. Seen from the quay."
    same = block.replace("Seen from the quay.", "The Lamp House.")
    assert page(same).components[0].image.caption == "Figure 7.8. The Lamp House"
