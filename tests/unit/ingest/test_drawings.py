"""Drawings in SVG: shown as pictures of bounded size, found by what is written in them, with nothing that leads out."""

import base64
import contextlib
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from backtrail.ingest.drawings.draw import draw
from backtrail.ingest.drawings.source import LARGEST, Drawing, read_drawing
from backtrail.ingest.images import UnusablePicture, parse_image, usable_picture
from backtrail.ingest.pictures.description import WRITTEN

NAMES = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'


def svg(inside: str, size: str = 'width="200" height="100"', before: str = "") -> bytes:
    return f"{before}<svg {NAMES} {size}>{inside}</svg>".encode()


PUMP = svg('<title>A pump</title><desc>Two valves</desc><rect width="90" height="40" fill="red"/>'
           '<text x="5" y="80">Inlet <tspan>valve</tspan></text><text>Outlet</text>')  # fmt: skip


def shown(content: bytes) -> Image.Image:
    picture = usable_picture(content)
    assert isinstance(picture.content, bytes)
    return Image.open(io.BytesIO(picture.content)).convert("RGB")


def test_a_file_is_a_document_with_its_title_what_is_written_in_it_and_how_it_looks(tmp_path: Path):
    picture = shown(PUMP)
    assert (picture.size, picture.getpixel((20, 20)), picture.getpixel((790, 390))) == (
        (800, 400), (255, 0, 0), (255, 255, 255),
    )  # fmt: skip
    assert usable_picture(svg("<text>")).drawn, "what is not closed is mended"
    (tmp_path / "pump.svg").write_bytes(PUMP)
    parsed = parse_image(tmp_path / "pump.svg", "pump.svg")
    (component,) = parsed.components
    assert component.image is not None
    assert (parsed.document.title, component.image.title, component.image.alt) == ("A pump", "A pump", "Two valves")
    assert component.image.recognized == f"{WRITTEN} Inlet valve; Outlet"
    assert component.image.blob in parsed.blobs
    assert parsed.blobs[component.image.blob].startswith(b"\x89PNG")


@pytest.mark.parametrize(
    "markup",
    [
        '<img src="pump.svg" alt="Ours">',
        '<object data="pump.svg"><img src="pump.png" alt="Ours"></object>',
        f'<img src="data:image/svg+xml;base64,{base64.b64encode(PUMP).decode()}" alt="Ours">',
    ],
)
def test_pages_show_drawings(page, tmp_path, markup):
    (tmp_path / "pump.svg").write_bytes(PUMP)
    parsed = page(f"<p>Before.</p>{markup}")
    (image,) = [one.image for one in parsed.components if one.image]
    assert image.blob in parsed.blobs
    assert (image.alt, image.recognized) == ("Ours", f"{WRITTEN} Inlet valve; Outlet")


def test_labels_that_are_html_are_read_once_and_drawn():
    words = '<div xmlns="http://www.w3.org/1999/xhtml">{}</div>'
    label = f'<foreignObject x="20" y="20" width="160" height="40">{words}</foreignObject>'.format
    assert read_drawing(svg(f"<switch>{label('The whole label')}<text>The wh...</text></switch>")).labels == (
        "The whole label",
    )
    assert read_drawing(svg(label("Only <b>HTML</b>"))).labels == ("Only HTML",)
    refusal = "<text>Text is not SVG - cannot display</text>"
    fallback = f'<switch><g requiredFeatures="x"/><a href="#more">{refusal}</a></switch>'
    assert read_drawing(svg(f"<text>Pump</text>{fallback}")).labels == ("Pump",)
    assert shown(svg(label("HHHHHHHH"))).convert("L").getextrema()[0] < 128


@pytest.mark.parametrize("source", ["file:///{}", "{}", "../secret.png", "https://169.254.169.254/x.png"])
def test_no_other_file_and_no_address_is_looked_at(tmp_path, monkeypatch, source):
    secret = tmp_path / "secret.png"
    Image.new("RGB", (50, 50), "red").save(secret)
    monkeypatch.chdir(tmp_path)
    href = source.format(secret)
    outside = [f'<image xlink:href="{href}" width="90" height="90"/>', f'<image href="{href}" width="90" height="90"/>',
               f'<filter id="f"><feImage href="{href}"/></filter><rect width="90" height="90" filter="url(#f)"/>',
               f'<use href="{href}#x"/>']  # fmt: skip
    for inside in outside:
        assert shown(svg(inside)).getextrema() == ((255, 255),) * 3
        assert "secret" not in read_drawing(svg(inside)).markup


def test_entities_scripts_and_style_sheets_of_others_are_left_out():
    declared = '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    inside = (
        '<style>@import "https://e.org/a.css"; .a{fill:red}</style><script>x()</script><text onclick="x()">a&x;b</text>'
    )
    drawing = read_drawing(svg(inside, before=declared))
    assert drawing.labels == ("ab",)
    for gone in ("ENTITY", "passwd", "@import", "script", "onclick"):
        assert gone not in drawing.markup
    assert ".a{fill:red}" in drawing.markup


@pytest.mark.parametrize(
    ("size", "pixels"),
    [
        ('width="1e9" height="1e9"', (LARGEST, LARGEST)),
        ('viewBox="0 0 1 100000000"', (1, LARGEST)),
        ('viewBox="0 0 30 40" width="300"', (600, 800)),
        ('width="-5" height="x"', (1000, 1000)),
    ],
)
def test_pictures_of_drawings_are_of_bounded_size(size, pixels):
    assert shown(svg("<rect width='1' height='1'/>", size)).size == pixels


def bomb() -> bytes:
    levels = "".join(f'<g id="a{n}">' + f'<use xlink:href="#a{n - 1}"/>' * 10 + "</g>" for n in range(1, 10))
    return svg(f'<defs><g id="a0"><rect width="1" height="1"/></g>{levels}</defs><use xlink:href="#a9"/>')


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"<?xml version='1.0'?><a><svg/></a>", "damaged"),
        (bomb(), "cannot be drawn"),
        (svg("<g/>" * 200_001), "more than 200,000 elements"),
        (svg(" " * (10 * 2**20)), "more than 10 MB"),
    ],
)
def test_harmful_and_damaged_drawings_are_refused_by_name(content, reason):
    with pytest.raises(UnusablePicture, match=reason):
        usable_picture(content)


def test_one_that_makes_the_renderer_fail_leaves_the_next_to_be_drawn(monkeypatch):
    from backtrail.ingest.drawings import draw as drawing

    drawing.stop()
    drawing._PROCESS.send(("<svg", 1, 1))  # too few: the process raises, and is asked again
    assert isinstance(drawing._PROCESS.receive(), Exception)
    assert draw(Drawing(svg("").decode(), "", (), 30, 30)).startswith(b"\x89PNG")


@given(st.binary(max_size=300), st.sampled_from([b"<svg ", b"<?xml ?><svg", svg("<text>x</text>")[:60]]))
def test_whatever_stands_in_it_a_drawing_is_read_or_refused(noise, start):
    with contextlib.suppress(ValueError):
        assert read_drawing(start + noise).markup.startswith("<")
