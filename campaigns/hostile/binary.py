"""Harmful pictures, drawings and PDFs: false sizes, bombs, cycles, and external references."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Iterator
from functools import partial

from PIL import Image

from campaigns.hostile.cases import Case, cases
from campaigns.hostile.documents import sound

_NAMES = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
_ENTITIES = '<!DOCTYPE svg [<!ENTITY x SYSTEM "file://{secret}"><!ENTITY y SYSTEM "{url}/entity">]>'
_SAID = b"BT /F 12 Tf 72 700 Td (The pumps are low.) Tj ET\n"
_ASKING = (
    b"<</Type/Annot/Subtype/Link/Rect[0 0 99 99]/A<</S/%s/%s({url}/x)/F({secret})/JS(app.launchURL\\('{url}'\\))>>>>"
)
_ACTIONS = ((b"URI", b"URI"), (b"Launch", b"Win"), (b"GoToR", b"D"), (b"JavaScript", b"X"), (b"SubmitForm", b"X"),
            (b"ImportData", b"X"))  # fmt: skip


def binary_cases() -> Iterator[Case]:
    """Yield all cases."""
    for group in (_pictures, _pdfs, _drawings):
        yield from group()


def png(width: int, height: int) -> bytes:
    """Return a PNG that declares this size, with highly compressed rows of zeros."""
    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    rows = zlib.compress(bytes(min(width // 8 * height, 50_000_000)))
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", rows) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def _pictures() -> Iterator[Case]:
    frames = [Image.new("P", (300, 300), n % 256) for n in range(200)]
    stream = io.BytesIO()
    frames[0].save(stream, "GIF", save_all=True, append_images=frames[1:])
    gif, bmp, tif, whole = (sound()[ending] for ending in (".gif", ".bmp", ".tif", ".png"))
    yield from cases(".png", {
        "3.6 gigapixels": partial(png, 60_000, 60_000), "no width": png(0, 10),
        "a row of two billion": partial(png, 2**31 - 1, 1), "a text that unpacks to 100 MB": partial(_with_text, whole),
    })  # fmt: skip
    yield from cases(".gif", {"200 frames": stream.getvalue(), "4 gigapixels": gif[:6] + b"\xff" * 4 + gif[10:]})
    yield Case("negative height", ".bmp", bmp[:18] + struct.pack("<ii", 2**31 - 1, -(2**31)) + bmp[26:])
    ring = tif[:4] + struct.pack("<I", 8) + struct.pack("<HI", 0, 8) * 3
    yield Case("a directory that leads to itself", ".tif", ring)
    yield Case("a script inside", ".jpg", sound()[".jpg"][:-2] + b"<script>fetch('{url}')</script>\xff\xd9")


def _with_text(whole: bytes) -> bytes:
    return whole[:33] + _chunk(b"zTXt", b"a\0\0" + zlib.compress(bytes(100_000_000))) + whole[33:]


def _pdf(objects: list[bytes], trailer: bytes = b"") -> bytes:
    """Return a PDF of these objects, numbered from 1; the first is its catalogue."""
    made, places = b"%PDF-1.7\n", []
    for number, content in enumerate(objects, start=1):
        places.append(len(made))
        made += b"%d 0 obj\n" % number + content + b"\nendobj\n"
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    return made + b"xref\n0 %d\n0000000000 65535 f \n" % size + table + (
        b"trailer\n<</Size %d/Root 1 0 R%s>>\nstartxref\n%d\n%%%%EOF" % (size, trailer, len(made)))  # fmt: skip


def _stream(content: bytes, more: bytes = b"") -> bytes:
    return b"<</Length %d%s>>stream\n%s\nendstream" % (len(content), more, content)


def _page(content: bytes, *more: bytes, resources: bytes = b"", page: bytes = b"", catalogue: bytes = b"") -> bytes:
    """Return a PDF of one page; the font is object 5, further objects are numbered from 6."""
    return _pdf([
        b"<</Type/Catalog/Pages 2 0 R%s>>" % catalogue, b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>%s>>%s>>" % (resources, page),
        _stream(content), b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>", *more])  # fmt: skip


def _drawing(draws: bytes, name: bytes, attributes: bytes, content: bytes) -> bytes:
    """Return a page that draws an object from outside its stream."""
    drawn = _stream(content, b"/Type/XObject" + attributes)
    return _page(_SAID + draws, drawn, resources=b"/XObject<</%s 6 0 R>>" % name)


def _unpacking() -> bytes:
    zeros = zlib.compress(zlib.compress(bytes(300_000_000)))
    return _page(_SAID, _stream(zeros, b"/Filter[/FlateDecode/FlateDecode]"), page=b"/Thumb 6 0 R")


def _pdfs() -> Iterator[Case]:
    catalogue = b"<</Type/Catalog/Pages 2 0 R>>"
    form = b"/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 6 0 R>>>>"
    image = b"/Subtype/Image/BitsPerComponent 8"
    huge = image + b"/Width 60000/Height 60000/ColorSpace/DeviceRGB/Filter/FlateDecode"
    outside = image + b"/Width 9/Height 9/F({secret})/FFilter/DCTDecode/ColorSpace/DeviceGray"
    outline = (b"<</Title(a)/Parent 6 0 R/Next 7 0 R/First 6 0 R/Dest[3 0 R]>>", b"<</Title(b)/Next 7 0 R/Prev 7 0 R>>")
    opened = b"/OpenAction<</S/JavaScript/JS(while\\(1\\);)>>"
    refs = b"/Annots[%s]" % b" ".join(b"%d 0 R" % (6 + n) for n in range(len(_ACTIONS)))
    links = b"/Annots[" + b"<</Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI(http://x.example)>>>>" * 20_000 + b"]"
    lock = b"<</Filter/Standard/V 2/R 3/O(%s)/U(%s)/P -4/Length 128>>" % (b"a" * 32, b"a" * 32)
    yield from cases(".pdf", {
        "sound, by hand": _page(_SAID), "a stream that unpacks to 300 MB": _unpacking,
        "pages in a circle": _pdf([catalogue, b"<</Type/Pages/Kids[2 0 R 2 0 R]/Count 2>>"]),
        "a million pages counted": _pdf([catalogue, b"<</Type/Pages/Kids[]/Count 1000000>>"]),
        "a form that draws itself": _drawing(b"/X Do", b"X", form, b"/X Do /X Do"),
        "a picture of 3.6 gigapixels": _drawing(b"600 0 0 600 0 0 cm /I Do", b"I", huge, zlib.compress(bytes(1000))),
        "a picture in another file": _drawing(b"/I Do", b"I", outside, b""),
        "an outline in a circle": _page(_SAID, *outline, catalogue=b"/Outlines 6 0 R"),
        "actions": _page(_SAID, *(_ASKING % pair for pair in _ACTIONS), page=refs, catalogue=opened),
        "200,000 letters": _page(b"BT /F 1 Tf 0 700 Td (" + b"a " * 200_000 + b") Tj ET"),
        "100,000 rules": _page(_SAID + b"".join(b"%d 0 m %d 800 l S\n" % (n % 600, n % 600) for n in range(100_000))),
        "states that are not restored": _page(b"q " * 200_000 + _SAID),
        "numbers out of range": _page(b"BT /F 1e38 Tf 1e38 -1e38 Td 9e99 0 0 9e99 1e38 1e38 Tm (a) Tj ET\n" + _SAID),
        "a box of nothing": _page(_SAID).replace(b"[0 0 600 800]", b"[0 0 000 000]"),
        "a box of a mile": _page(_SAID).replace(b"[0 0 600 800]", b"[0 0 9e9 9e9]"),
        "locked": _pdf([catalogue, b"<</Type/Pages/Kids[]/Count 0>>", lock], b"/Encrypt 3 0 R/ID[(a)(b)]"),
        "arrays 50,000 deep": _page(_SAID, resources=b"/X " + b"[" * 50_000 + b"]" * 50_000),
        "20,000 links": _page(_SAID, page=links),
    })  # fmt: skip


def _svg(inside: str, size: str = 'width="300" height="300"', before: str = "") -> str:
    return f"{before}<svg {_NAMES} {size}>{inside}</svg>"


def _drawings() -> Iterator[Case]:
    for source in ("{secret}", "file://{secret}", "{url}/x.png", "../secret.txt"):
        for tag in ("image", "feImage", "use", "script", "a"):
            linked = _svg(f'<{tag} xlink:href="{source}" href="{source}" width="9" height="9"/>')
            yield Case(f"{tag} from {source}", ".svg", linked)
    levels = "".join(f'<g id="a{n}">' + f'<use xlink:href="#a{n - 1}"/>' * 10 + "</g>" for n in range(1, 12))
    square = '<rect width="300" height="300" filter="url(#f)"/>'
    sheet = '<?xml version="1.0"?><?xml-stylesheet href="{url}/b.css"?>'
    quoted = _NAMES.replace('"', "&quot;")
    inner = f"&lt;svg {quoted}&gt;&lt;image href=&quot;{{secret}}&quot;/&gt;&lt;/svg&gt;"
    yield from cases(".svg", {
        "entities from elsewhere": _svg("<text>&x;&y;</text>", before=_ENTITIES),
        "a style sheet from elsewhere": _svg('<style>@import "{url}/a.css";@font-face{src:url({url}/f)}</style>', before=sheet),
        "used 10^11 times": _svg(f'<defs><g id="a0"><path d="M0 0h1"/></g>{levels}</defs><use xlink:href="#a11"/>'),
        "used by itself": _svg('<g id="a"><use xlink:href="#a"/></g>'),
        "a pattern of itself": _svg('<pattern id="p" width="1" height="1"><rect fill="url(#p)" width="9" height="9"/></pattern>'
                                    '<rect fill="url(#p)" width="99" height="99"/>'),
        "noise of 100,000 octaves": _svg(f'<filter id="f"><feTurbulence baseFrequency=".05" numOctaves="100000"/></filter>{square}'),
        "a blur of a million": _svg(f'<filter id="f" width="1e7" height="1e7"><feGaussianBlur stdDeviation="1e6"/></filter>{square}'),
        "dashes without number": _svg('<path d="M0 0H1e9" stroke="red" stroke-dasharray=".001"/>'),
        "10^18 pixels": _svg("<rect/>", 'width="1e9" height="1e9"'), "one pixel wide": _svg("", 'viewBox="0 0 1 1e9"'),
        "no size": _svg("<text>a</text>", ""), "NaN wide": _svg("<text>a</text>", 'width="NaN" height="-1"'),
        "nested 50,000 deep": _svg("<g>" * 50_000), "a million elements": _svg("<g/>" * 1_000_000),
        "a path of 5 MB": _svg(f'<path d="M0 0{"L9 9" * 1_200_000}"/>'),
        "a picture within pictures": _svg(f'<image href="data:image/svg+xml,{inner}"/>'),
    })  # fmt: skip
