"""Pictures as documents, bad ones, and what files say of pictures."""

import hashlib
import io
import json
import struct
import zlib

import pytest
from PIL import Image, PngImagePlugin

from backtrail.ingest import images
from backtrail.ingest.discover import discover
from backtrail.ingest.images import (
    NotAPicture,
    PictureTooLarge,
    PictureTruncated,
    UnsupportedPicture,
    UnusablePicture,
    check_picture,
    parse_image,
)


def bomb(width, height):
    """A PNG whose header promises more than its few bytes hold."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    pixels = chunk(b"IDAT", zlib.compress(b"\0" * 1000))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + pixels + chunk(b"IEND", b"")


def encoded(kind, **options):
    stream = io.BytesIO()
    Image.new("RGB", (20, 10), "blue").save(stream, format=kind, **options)
    return stream.getvalue()


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF"])
def test_facts_of_every_format(kind):
    content = encoded(kind)
    facts = check_picture(content)
    assert (facts.mime, facts.width, facts.height) == (f"image/{kind.lower()}", 20, 10)
    assert facts.sha256 == hashlib.sha256(content).hexdigest()


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"", NotAPicture),
        (b"hello", NotAPicture),
        (b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n", NotAPicture),
        (b"\xef\xbb\xbf<?xml version='1.0'?>\n<!-- x -->\n<svg/>", UnsupportedPicture),
        (b"\x89PNG\r\n\x1a\n", PictureTruncated),
        (encoded("PNG")[:48], PictureTruncated),
        (bomb(60_000, 60_000), PictureTooLarge),
        (bomb(1000, 1000), PictureTruncated),
    ],
)
def test_bad_pictures_are_typed_errors_with_advice(tmp_path, content, error):
    path = tmp_path / "x.png"
    path.write_bytes(content)
    with pytest.raises(error) as raised:
        check_picture(path)
    assert (raised.value.source, bool(raised.value.problem and raised.value.advice)) == (str(path), True)


def test_oversized_files_are_refused_unread(tmp_path):
    path = tmp_path / "x.png"
    with path.open("wb") as stream:
        stream.truncate(images.MAX_BYTES + 1)
    with pytest.raises(PictureTooLarge, match="50 MB"):
        check_picture(path)
    with pytest.raises(UnusablePicture, match="cannot be opened"):
        check_picture(tmp_path / "gone.png")


@pytest.mark.parametrize(
    ("description", "caption"),
    [("The old  bridge", "The old bridge"), ("OLYMPUS DIGITAL CAMERA", ""), ("\0\0\0", "")],
)
def test_a_picture_is_a_document_of_one_component_and_what_cameras_write_no_caption(tmp_path, description, caption):
    exif = Image.Exif()
    exif[0x010E] = description
    path = tmp_path / "stone_bridge-2.jpg"
    path.write_bytes(encoded("JPEG", exif=exif))
    parsed = parse_image(path, "pics/stone_bridge-2.jpg")
    (component,) = parsed.components
    assert parsed.document.title == "Stone bridge 2"
    assert component.id == "pics/stone_bridge-2.jpg#image-1"
    assert component.image.caption == caption
    assert parsed.blobs == {component.image.blob: path}


XMP = """<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:p="http://ns.adobe.com/photoshop/1.0/"
p:Headline="Pier"><dc:description><rdf:Alt><rdf:li>The old pier</rdf:li></rdf:Alt></dc:description>
<dc:subject><rdf:Bag><rdf:li>sea</rdf:li><rdf:li>wood</rdf:li></rdf:Bag></dc:subject></rdf:Description></rdf:RDF>
</x:xmpmeta>"""


def saved(path, **options):
    Image.new("RGB", (120, 120), "navy").save(path, **options)
    return path


def exif(**fields):
    values = Image.Exif()
    for tag, value in fields.items():
        values[int(tag.removeprefix("t"), 16)] = value
    return values


def iptc(*fields):
    """The block of a JPEG that programs for newspapers write."""
    records = b"".join(b"\x1c\x02" + bytes([kind]) + len(text).to_bytes(2) + text for kind, text in fields)
    block = b"8BIM\x04\x04\0\0" + len(records).to_bytes(4) + records + b"\0" * (len(records) % 2)
    payload = b"Photoshop 3.0\0" + block
    return b"\xff\xed" + (len(payload) + 2).to_bytes(2) + payload


def component(path):
    return parse_image(path, path.name).components[0].image


def newspaper(path):
    content = saved(path).read_bytes()
    path.write_bytes(content[:2] + iptc((105, b"Pier"), (120, b"The old pier"), (25, b"sea")) + content[2:])


def windows(path):
    saved(path, exif=exif(t010e="The old pier", t9c9b="Pier\0".encode("utf-16-le"), t9c9e="sea\0".encode("utf-16-le")))


def texts_of_png(path):
    texts = PngImagePlugin.PngInfo()
    texts.add_text("Title", "Pier")
    texts.add_itxt("Description", "The old pier")
    Image.new("RGB", (120, 120), "navy").save(path, "PNG", pnginfo=texts)


@pytest.mark.parametrize(
    ("write", "caption"),
    [
        (windows, "The old pier Keywords: sea"),
        (newspaper, "The old pier Keywords: sea"),
        (lambda path: saved(path, xmp=XMP.encode()), "The old pier Keywords: sea, wood"),
        (texts_of_png, "The old pier"),
    ],
    ids=["EXIF", "IPTC", "XMP", "PNG"],
)
def test_what_a_file_says_of_itself(tmp_path, write, caption):
    write(tmp_path / "x.jpg")
    found = component(tmp_path / "x.jpg")
    assert (found.title, found.caption) == ("Pier", caption)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("x.jpg.txt", "The old pier\n"),
        ("x.jpg.supplemental-metadata.json", json.dumps({"title": "x.jpg", "description": "The old pier"})),
        ("x.jpg.json", json.dumps({"caption": "The old pier", "likes": 3})),
        ("x.xmp", XMP.replace('p:Headline="Pier"', "").replace("<rdf:li>sea</rdf:li><rdf:li>wood</rdf:li>", "")),
    ],
)
def test_files_beside_a_picture_describe_it_and_are_no_documents(tmp_path, name, content):
    saved(tmp_path / "x.jpg")
    (tmp_path / name).write_text(content)
    (source,) = discover([tmp_path])
    assert source.document_id == "x.jpg"
    found = component(source.path)
    assert (found.title, found.caption) == ("X", "The old pier")


def test_a_long_text_of_the_same_name_stays_a_document(tmp_path):
    saved(tmp_path / "report.png")
    (tmp_path / "report.txt").write_text("A sentence of a report. " * 400)
    assert [source.document_id for source in discover([tmp_path])] == ["report.png", "report.txt"]
    assert component(tmp_path / "report.png").caption == ""


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("x.jpg.json", b"[" * 100_000),
        ("x.jpg.json", b'"text"'),
        ("x.xmp", b"<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]><description>&b;</description>"),
        ("x.jpg.txt", bytes(range(256)) * 4),
    ],
)
def test_descriptions_that_cannot_be_read_say_nothing(tmp_path, name, content):
    path = saved(tmp_path / "x.jpg")
    (tmp_path / name).write_bytes(content)
    assert component(path).caption == ""


def test_links_out_of_the_folder_and_damaged_fields_say_nothing(tmp_path):
    (tmp_path / "secret").write_text("A secret")
    (tmp_path / "in").mkdir()
    path = saved(tmp_path / "in" / "x.jpg", exif=b"Exif\0\0II*\0\x08\0\0\0\xff\xff" + b"\x0e\x01\x02\0" * 9)
    (tmp_path / "in" / "x.jpg.txt").symlink_to(tmp_path / "secret")
    assert component(path).caption == ""


def test_a_page_that_says_nothing_of_its_picture_takes_what_is_said_elsewhere(page, tmp_path):
    saved(tmp_path / "x.jpg")
    (tmp_path / "x.jpg.txt").write_text("The old pier")
    silent, captioned = page("<p>a</p><img src=x.jpg>"), page("<p>a</p><img src=x.jpg alt='A pier'>")
    assert [p.components[1].image.caption for p in (silent, captioned)] == ["The old pier", ""]
