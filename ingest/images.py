"""Check every picture before it is stored, and parse picture files.

UnusablePicture (an UnreadableSource)
├── NotAPicture          the file is something else
├── UnsupportedPicture   a kind of picture that is not supported (SVG where no drawing is expected)
├── PictureTruncated     the file is truncated or damaged
└── PictureTooLarge      too many bytes or pixels
"""

from __future__ import annotations

import dataclasses
import hashlib
import io
import re
import struct
import warnings
import zlib
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from backtrail.ingest.drawings.draw import draw
from backtrail.ingest.drawings.source import is_drawing, read_drawing
from backtrail.ingest.errors import UnreadableSource
from backtrail.ingest.finish import finish
from backtrail.ingest.parsed import ParsedDocument
from backtrail.ingest.pictures.description import WRITTEN, PictureDescription, one_of
from backtrail.ingest.pictures.embedded import embedded_description
from backtrail.ingest.pictures.sidecar_files import descriptions_of
from backtrail.state.component import Component, Document, Picture
from backtrail.tools.corpus.open_picture import FORMATS, MAX_PIXELS

MAX_BYTES = 50 * 1024 * 1024
_MIMES = {"MPO": "image/jpeg"}  # a JPEG followed by a second picture
_BROKEN = (OSError, SyntaxError, ValueError, EOFError, TypeError, KeyError, IndexError, OverflowError, RuntimeError)


class UnusablePicture(UnreadableSource):
    """A picture cannot be stored: the message names the file, the problem and what to do."""


class NotAPicture(UnusablePicture):
    """The file is not a picture of a known format."""


class UnsupportedPicture(UnusablePicture):
    """The file is a picture of an unsupported kind."""


class PictureTruncated(UnusablePicture):
    """The file is truncated or damaged."""


class PictureTooLarge(UnusablePicture):
    """The file has too many bytes, or would have too many pixels once decoded."""


@dataclass(frozen=True)
class PictureFacts:
    """Facts of a fully decoded picture: type, size in pixels, digest, and its embedded description."""

    mime: str
    width: int
    height: int
    sha256: str
    description: PictureDescription


@dataclass(frozen=True)
class UsablePicture:
    """Checked picture: its file or bytes, facts, and known words.

    A drawing (SVG) is stored as a rendered picture. ``side`` is the smaller side in pixels, of a drawing its declared
    one.
    """

    content: bytes | Path
    facts: PictureFacts
    written: str = ""
    side: int = 0
    drawn: bool = False

    @property
    def recognized(self) -> str:
        """Words in the picture, in the form that readers get."""
        return f"{WRITTEN} {self.written}" if self.written else ""


def usable_picture(content: bytes | Path, name: str = "") -> UsablePicture:
    """Check a picture; a drawing is rendered first.

    Args:
        content: the file, or its bytes.
        name: name in messages; by default the path.

    Raises:
        UnusablePicture: see ``check_picture``, or a drawing cannot be rendered.
    """
    name = name or (str(content) if isinstance(content, Path) else "picture")
    data = _read(content, name)
    if not is_drawing(data):
        facts = check_picture(data, name)
        return UsablePicture(content, facts, side=min(facts.width, facts.height))
    try:
        drawing = read_drawing(data)
        png = draw(drawing)
    except ValueError as error:
        problem = f"the drawing cannot be shown: {error}"
        raise PictureTruncated(name, problem, "Open it in a browser, and convert it to PNG") from error
    facts = check_picture(png, name)
    description = PictureDescription(title=drawing.title, alt=drawing.description)
    side = int(drawing.side) or min(facts.width, facts.height)
    return UsablePicture(png, dataclasses.replace(facts, description=description), drawing.words, side, drawn=True)


def check_picture(content: bytes | Path, name: str = "") -> PictureFacts:
    """Decode a picture once, so that later stages meet only valid ones.

    Size and pixel count are checked before decoding. Only the first frame of an animation is read.

    Args:
        content: the file, or its bytes.
        name: name in messages; by default the path.

    Raises:
        NotAPicture, UnsupportedPicture, PictureTruncated, PictureTooLarge: as their names say.
    """
    name = name or (str(content) if isinstance(content, Path) else "picture")
    data = _read(content, name)
    try:
        with warnings.catch_warnings():
            # ignore Pillow's warnings about metadata, but not about decompression bombs
            warnings.simplefilter("ignore")
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            return _decode(data, name)
    except UnusablePicture:
        raise
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise _too_many_pixels(name, "more than 89 megapixels") from error
    except Image.UnidentifiedImageError as error:
        raise _unidentified(data, name) from error
    except (*_BROKEN, struct.error, zlib.error, MemoryError) as error:
        problem = f"the picture is truncated or damaged ({error})"
        raise PictureTruncated(name, problem, "Fetch or export the file again") from error


def _read(content: bytes | Path, name: str) -> bytes:
    try:
        size = content.stat().st_size if isinstance(content, Path) else len(content)
        if size > MAX_BYTES:
            problem = f"the file has {size / 2**20:.0f} MB, more than {MAX_BYTES // 2**20}"
            raise PictureTooLarge(name, problem, "Scale it down or compress it")
        data = _read_file(content) if isinstance(content, Path) else content
    except OSError as error:
        problem = f"the file cannot be opened ({error.strerror})"
        raise UnusablePicture(name, problem, "Check that it exists and is readable") from error
    if not data:
        raise NotAPicture(name, "the file is empty", "Fetch or export it again")
    return data


def _read_file(path: Path) -> bytes:
    """Read at most ``MAX_BYTES`` of a file, whose size may have changed."""
    if not path.is_file():
        raise OSError(None, "it is no regular file")
    with path.open("rb") as file:
        return file.read(MAX_BYTES)


def _decode(data: bytes, name: str) -> PictureFacts:
    Image.init()  # builds of Pillow may lack formats
    known = [name for name in FORMATS if name in Image.OPEN]
    with Image.open(io.BytesIO(data), formats=known) as image:
        width, height = image.size
        if width * height > MAX_PIXELS:
            raise _too_many_pixels(name, f"{width} x {height} pixels")
        image.load()
        description = embedded_description(image)
        kind = str(image.format)
    return PictureFacts(
        mime=_MIMES.get(kind) or Image.MIME.get(kind, f"image/{kind.lower()}"),
        width=width,
        height=height,
        sha256=hashlib.sha256(data).hexdigest(),
        description=description,
    )


def _too_many_pixels(name: str, found: str) -> PictureTooLarge:
    return PictureTooLarge(name, f"{found}, more than {MAX_PIXELS // 1_000_000} megapixels", "Scale it down")


def _unidentified(data: bytes, name: str) -> UnusablePicture:
    """Return the error for an SVG, a picture truncated in its header, or another kind of file."""
    head = data[:1024].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if head.startswith((b"<svg", b"<?xml", b"<!doctype svg", b"<!--")) and b"<svg" in data[:4096].lower():
        return UnsupportedPicture(name, "SVG pictures are not supported", "Convert it to PNG")
    if data.startswith((b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"II*\0", b"MM\0*")):
        return PictureTruncated(name, "the picture is truncated in its header", "Fetch or export the file again")
    kinds = "PNG, JPEG, GIF, WebP, BMP, TIFF, AVIF"
    return NotAPicture(name, "this is not a picture of a known format", f"Known are {kinds}; convert it to one")


def prettify(stem: str) -> str:
    """Make a title from a file name: separators become spaces, the first letter a capital."""
    words = " ".join(re.sub(r"[_\-+.]+", " ", stem).split())
    return words[:1].upper() + words[1:] if words else stem


def parse_image(path: Path, document_id: str) -> ParsedDocument:
    """Parse a picture file to a document of one picture, titled by its embedded title or file name.

    Descriptions in the file and in sidecar files become its caption and alternative text.

    Raises:
        UnusablePicture: see ``usable_picture``.
    """
    shown = usable_picture(path)
    sha256, description = shown.facts.sha256, one_of((descriptions_of(path), shown.facts.description))
    title = description.title or prettify(path.stem)
    component = Component(
        id=f"{document_id}#image-1",
        document=document_id,
        position=0,
        modality="image",
        image=Picture(
            blob=sha256,
            title=title,
            caption="" if description.caption.casefold() == title.casefold() else description.caption,
            alt=description.alt,
            recognized=shown.recognized,
        ),
    )
    document = Document(id=document_id, title=title, source=str(path))
    return finish(document, [component], blobs={sha256: shown.content})
