import hashlib
import io
import struct
import zlib

import pytest
from PIL import Image

from backtrail.ingest import images
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
    [("The old  bridge", "The old bridge"), ("SONY DSC", ""), ("OLYMPUS DIGITAL CAMERA", ""), ("\0\0\0", "")],
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
