"""Texts and pictures of pages of the web: what is kept of them, within bounds."""

import contextlib
import io

import pytest
from fixtures.web_search import scene
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from backtrail.tools.web.errors import Refused, Unfetched
from backtrail.tools.web.fetching.best_passages import best_passages
from backtrail.tools.web.fetching.clean_picture import LONGEST_SIDE, clean_picture, mark_of
from backtrail.tools.web.fetching.fetch import Fetched
from backtrail.tools.web.fetching.page_text import page_text
from backtrail.tools.web.fetching.perceptual_hash import look_alike
from backtrail.tools.web.sanitize_text import one_line, readable
from backtrail.tools.web.tokens import first_tokens, token_count

ARTICLE = """<html lang=en><head><title>The Elbe – A river</title>
<meta property="article:published_time" content="2021-03-04"></head><body>
<nav><a href="/">Home</a><a href="/shop">Shop now</a></nav><script>var secret = 1;</script>
<main><article><h1>The Elbe</h1><p>The Elbe is one of the major rivers of Central Europe, 1,094 km long.</p>
<table><tr><th>Mouth</th><td>North Sea</td></tr></table>
<p>It rises in the Giant Mountains, and it passes Dresden, Magdeburg and Hamburg on its way to the sea.</p>
</article></main>
<footer>Imprint and cookies</footer></body></html>"""


def fetched(body: bytes, kind: str = "text/html", charset: str = "utf-8") -> Fetched:
    return Fetched("https://example.org/elbe", 200, kind, charset, body)


def test_the_article_stays_and_the_furniture_goes() -> None:
    page = page_text(fetched(ARTICLE.encode()))
    assert page.title.startswith("The Elbe")
    assert page.published == "2021-03-04"
    words = ("1,094 km long", "North Sea", "Hamburg", "secret", "Shop now")
    assert [word in page.text for word in words] == [True, True, True, False, False]


def test_the_stated_charset_is_used() -> None:
    text = "<html><body><p>" + "Die Straße über die Brücke führt nach Köln. " * 8 + "</p></body></html>"
    assert "über die Brücke" in page_text(fetched(text.encode("latin-1"), charset="iso-8859-1")).text
    assert "über die Brücke" in page_text(fetched(text.encode(), charset="")).text
    for none in ("no-such-charset", "undefined", "hex", "\0"):
        assert page_text(fetched("Die\nBrücke".encode(), "text/plain", none)).text == "Die\nBrücke"


@pytest.mark.parametrize("body", [b"", b"<html><body><script>1</script></body></html>"])
def test_a_page_without_text_is_lost(body: bytes) -> None:
    with pytest.raises(Unfetched, match="no readable text"):
        page_text(fetched(body))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_page_of_absurdly_many_elements_or_with_a_tag_of_absurdly_many_attributes_is_not_read(encoding: str) -> None:
    with pytest.raises(Refused, match="tags"):
        page_text(fetched(b"<html><body>" + b"<b>x</b>" * 250_000 + b"</body></html>"))
    many = " ".join(f"b{number}=''" for number in range(300))
    with pytest.raises(Refused, match="attributes"):
        page_text(fetched(f"<html><body {many}><p>x</p></body></html>".encode(encoding)))


@given(st.binary(max_size=300))
def test_bytes_of_any_kind_are_text_or_lost(body: bytes) -> None:
    for kind, charset in (("text/html", ""), ("text/html", "utf-16"), ("text/plain", "utf-8")):
        with contextlib.suppress(Unfetched):
            assert page_text(fetched(body, kind, charset)).text


@given(st.text(max_size=200), st.integers(1, 30))
def test_a_cut_text_is_a_beginning_of_the_text_and_stays_when_cut_again(text: str, most: int) -> None:
    cut = first_tokens(text, most)
    assert text.encode("utf-8", "replace").decode().startswith(cut)
    assert first_tokens(cut, most) == cut
    long = "The quick brown fox jumps over the lazy dog. " * 100
    assert (first_tokens(long, 5), first_tokens(long, 10_000)) == ("The quick brown fox jumps", long)
    assert first_tokens("长江是中国最长的河流", 4) == "长江是中"


@given(st.text(st.characters(codec=None), max_size=200), st.integers(2, 50))
def test_words_by_strangers_become_printable_and_short(text: str, most: int) -> None:
    line = one_line(text, most)
    assert len(line) <= most
    assert line.isprintable()
    assert not set(readable(text, most)) & {"\x00", "\x1b", "\x9b", "\ud800"}
    readable(text, most).encode()


LINES = st.lists(
    st.sampled_from(["The Elbe is long.", "A market was held.", "词 " * 30, "x" * 90, "iron bridge"]), max_size=60
)


@given(lines=LINES, most=st.integers(20, 90))
def test_no_more_than_the_tokens_is_kept_and_nothing_is_made_up(lines: list[str], most: int) -> None:
    text = "\n".join(lines)
    kept = best_passages(text, "the iron bridge", most)
    assert token_count(kept) <= most
    assert all(piece in text for piece in kept.split("\n") if piece != "[…]")
    if token_count(text) <= most:
        assert kept == text


def test_rare_words_of_the_query_weigh_more_than_those_of_every_paragraph() -> None:
    text = "\n".join([*("The bridge of the town is old." for _ in range(40)), "Colm drew it.", "The bridge is grey."])
    assert "Colm drew it." in best_passages(text, "Which bridge did Colm draw?", 40)


def test_a_single_paragraph_is_cut_between_its_sentences() -> None:
    text = "It was market day in the town. " * 200 + "Marta Colm built the light in 1871. " + "The tide came in. " * 200
    kept = best_passages(text, "Who built the light?", 60)
    assert "Marta Colm built the light in 1871." in kept
    assert token_count(kept) <= 60


def packed(image: Image.Image, kind: str = "PNG", **options: object) -> bytes:
    held = io.BytesIO()
    image.save(held, kind, **options)
    return held.getvalue()


def framed(image: Image.Image, border: int) -> Image.Image:
    whole = Image.new("RGB", (image.width + 2 * border, image.height + 3 * border), "white")
    whole.paste(image, (border, border))
    return whole


def opened(content: bytes) -> Image.Image:
    return Image.open(io.BytesIO(content))


@pytest.mark.parametrize(
    "copy",
    [
        packed(scene(1), "JPEG", quality=40),
        packed(scene(1).resize((160, 120))),
        packed(framed(scene(1), 60), "JPEG", quality=60),
    ],
    ids=["jpeg", "half", "framed jpeg"],
)
def test_copies_of_a_picture_look_alike(copy: bytes) -> None:
    assert look_alike(mark_of(packed(scene(1)), "one"), mark_of(copy, "other"))


def test_different_pictures_do_not_look_alike() -> None:
    marks = [mark_of(packed(scene(seed)), "scene") for seed in range(12)]
    assert not any(look_alike(one, other) for place, one in enumerate(marks) for other in marks[:place])


def test_a_white_border_is_cut_off_and_large_pictures_are_scaled_down() -> None:
    for picture in (framed(scene(2), 50), scene(2)):
        assert opened(clean_picture(packed(picture), "picture").content).size == (320, 240)
    assert max(opened(clean_picture(packed(scene(4, (3000, 1500))), "large").content).size) == LONGEST_SIDE


def test_what_is_kept_is_a_fresh_file_without_metadata() -> None:
    exif = Image.Exif()
    exif[0x010E] = "secret place"
    content = packed(scene(3), "JPEG", exif=exif)
    clean = clean_picture(content, "photo")
    assert (b"secret place" in content, b"secret place" in clean.content) == (True, False)
    assert opened(clean.content).format in ("PNG", "JPEG")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (packed(Image.new("RGB", (200, 200), "white")), "blank"),
        (packed(Image.new("RGB", (200, 200), (90, 90, 90)), "JPEG"), "blank"),
        (packed(framed(scene(5, (30, 30)), 200)), "too few"),
        (packed(scene(5))[:200], "as a picture"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "as a picture"),
        (b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n", "as a picture"),
    ],
    ids=["white", "grey", "tiny in a frame", "truncated", "svg", "eps"],
)
def test_what_is_no_use_is_refused_with_the_reason(content: bytes, reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        clean_picture(content, "https://example.org/picture")
