import hashlib
import re
from pathlib import Path

import pytest

from backtrail.cli.show.ingest_lines import contents_lines
from backtrail.ingest.html.parse import parse_html
from backtrail.ingest.report import IngestReport


def image(parsed, number=0):
    return [component for component in parsed.components if component.image][number]


def test_a_figure_has_its_file_texts_and_surroundings(page, picture, tmp_path):
    (tmp_path / "img").mkdir()
    (tmp_path / "img" / "a b.png").write_bytes(picture())
    parsed = page(
        "<p>Before it.</p><figure id=f><a href=big.html><img src='../img/a%20b.png?v=2' alt=Alt title=Ti></a>"
        "<figcaption>Cap <a href=c.html id=cap>c</a></figcaption></figure><p>After it.",
        "sub/page.html",
    )
    component = image(parsed)
    sha = hashlib.sha256(picture()).hexdigest()
    assert component.id == "sub/page.html#f"
    assert component.image.model_dump() == {
        "blob": sha, "title": "Ti", "caption": "Cap c", "alt": "Alt", "nearby": "Before it. After it.",
        "recognized": "", "objects": (),
    }  # fmt: skip
    assert [(link.target, link.anchor) for link in component.links] == [("sub/big.html", "Alt"), ("sub/c.html", "c")]
    assert parsed.fragments["f"] == parsed.fragments["cap"] == component.id
    assert parsed.blobs == {sha: tmp_path.resolve() / "img" / "a b.png"}
    assert [c.text for c in parsed.components if c.text] == ["Before it.", "After it."]


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
    assert image(parsed).image.blob is None
    assert image(parsed).image.alt == "kept"
    assert parsed.blobs == {}
    (skipped,) = parsed.skipped
    assert re.search(reason, skipped.reason)


def test_a_picture_with_neither_file_nor_words_is_only_reported(page):
    parsed = page("<p>a</p><img id=i src=gone.png><p>b")
    assert [c.text for c in parsed.components] == ["a", "b"]
    assert parsed.fragments["i"] == parsed.components[1].id
    assert len(parsed.skipped) == 1


def test_spacers_are_dropped(page, picture, tmp_path):
    (tmp_path / "dot.png").write_bytes(picture(1, 1))
    parsed = page("<p>a</p><img src=dot.png><img src=dot.png alt=dot>")
    assert [c.modality for c in parsed.components] == ["text", "image"]


def test_a_picture_inside_a_paragraph_follows_it(page):
    parsed = page("<p id=p>one <img src=x.png alt=A> two</p><p id=q><img id=i src=y.png alt=B> three</p>")
    assert [(c.id, c.text or c.image.alt) for c in parsed.components] == [
        ("page.html#p", "one two"),
        ("page.html#image-1", "A"),
        ("page.html#i", "B"),
        ("page.html#q", "three"),
    ]
    assert parsed.fragments == {"p": "page.html#p", "i": "page.html#i", "q": "page.html#q"}


def test_several_pictures_of_a_figure_share_its_caption(page):
    parsed = page("<figure id=f><img src=a alt=A><img src=b alt=B><figcaption>Both</figcaption></figure>")
    assert [(c.id, c.image.caption) for c in parsed.components] == [
        ("page.html#f", "Both"),
        ("page.html#image-2", "Both"),
    ]


def test_the_caption_of_a_figure_without_visible_picture_is_kept(page):
    parsed = page("<figure id=f><img hidden src=a><figcaption>Cap</figcaption></figure>")
    assert [c.text for c in parsed.components] == ["Cap"]


def test_surroundings_are_at_most_300_characters_of_the_same_section(page):
    parsed = page(f"<p>other<h2>S</h2><img src=x alt=A><p>{'word ' * 200}")
    nearby = image(parsed).image.nearby
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
    assert [c.image.caption or c.image.alt for c in parsed.components if c.image] == [
        "The arrow that leads up.", "Part", "Part",
    ]  # fmt: skip
    named = [one for one in parsed.skipped if one.picture == "repeated icons"]
    assert len(named) == 4
    assert named[0].reason == "an icon that the page shows 4 times"
    assert parsed.fragments["s2"]
