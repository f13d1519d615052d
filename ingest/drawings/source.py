"""Read SVG sources and remove scripts, entities, external style sheets and external files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]

from backtrail.ingest.pictures.description import MOST_CHARACTERS

MAX_BYTES = 10 * 2**20
"""Maximum size of one drawing."""

MAX_ELEMENTS = 200_000
"""Maximum number of elements of a rendered drawing."""

LARGEST = 1600
"""Maximum pixels of the longer side of a picture (ours: what models use)."""

SMALLEST = 800
"""Minimum pixels of the longer side of drawings at least 100 pixels wide and high, for readable labels (ours)."""

_ICON = 100
_UNKNOWN = 1000  # pixels of a drawing without size
_SVG = "http://www.w3.org/2000/svg"
_LEFT_OUT = frozenset({"script", "metadata", "animate", "animatemotion", "animatetransform", "set", "handler"})
_INSIDE = re.compile(r"data:image/(?:png|jpe?g|gif|webp);base64,", re.I)
_IMPORT = re.compile(r"@import\b[^;]{0,2000};?", re.I)
_SPACE = re.compile(r"\s+")
_LENGTH = re.compile(r"\s*([\d.]{1,20})(?:e\+?(\d{1,2}))?\s*(px|pt|pc|mm|cm|in|em|ex|)\s*$", re.I)
_UNITS = {"": 1.0, "px": 1.0, "pt": 4 / 3, "pc": 16.0, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96.0, "em": 16, "ex": 8}
_LABEL_SIZE = 14.0  # pixels of HTML labels within a drawing


@dataclass(frozen=True)
class Drawing:
    """Cleaned drawing as XML.

    ``title`` and ``description`` are its own, ``labels`` its texts. ``width`` and ``height`` are those of its picture
    in pixels, ``side`` the smaller side of its declared size, 0 without one.
    """

    markup: str
    title: str
    labels: tuple[str, ...]
    width: int
    height: int
    side: float = 0.0
    description: str = ""

    @property
    def words(self) -> str:
        """All labels, up to 4,000 characters."""
        return "; ".join(self.labels)[:MOST_CHARACTERS]


def is_drawing(content: bytes) -> bool:
    """Return whether a file starts like SVG."""
    head = content[:1024].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    return head.startswith((b"<svg", b"<?xml", b"<!doctype svg", b"<!--")) and b"<svg" in content[:4096].lower()


def read_drawing(content: bytes) -> Drawing:
    """Read and clean a drawing.

    Raises:
        ValueError: the drawing is too large, or not XML.
    """
    if len(content) > MAX_BYTES:
        raise ValueError(f"the drawing has more than {MAX_BYTES // 2**20} MB")
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, recover=True, remove_pis=True, remove_comments=True
    )
    root = etree.fromstring(content, parser)
    if root is None or _name(root) != "svg":
        raise ValueError("the drawing is damaged")
    elements = [element for element in root.iter() if isinstance(element.tag, str)]
    if len(elements) > MAX_ELEMENTS:
        raise ValueError(f"the drawing has more than {MAX_ELEMENTS:,} elements")
    etree.strip_tags(root, etree.Entity)  # entities of the document type are never resolved
    title, description = _own(root, "title", root.get("aria-label", "").strip()), _own(root, "desc")
    labels = tuple(dict.fromkeys(filter(None, _labels(elements))))
    _clean(elements)
    shown = _size(root)
    width, height = _pixels(*shown)
    _state_size(root, shown, (width, height))
    markup = etree.tostring(root, encoding="unicode", with_tail=False)
    return Drawing(markup, title, labels, width, height, min(shown), description)


def _name(element: Any) -> str:
    return element.tag.rpartition("}")[2].lower() if isinstance(element.tag, str) else ""


def _text_of(element: Any) -> str:
    return _SPACE.sub(" ", " ".join(element.itertext())).strip()


def _own(root: Any, name: str, label: str = "") -> str:
    """Return the drawing's own title or description; those of its parts are tooltips."""
    texts = [label, *(_text_of(child) for child in root if _name(child) == name)]
    return ". ".join(dict.fromkeys(filter(None, texts)))[:MOST_CHARACTERS]


def _labels(elements: list[Any]) -> Iterator[str]:
    """Yield texts without those that a viewer shows only in place of others."""
    for element in elements:
        if _name(element) in ("foreignobject", "text") and not _is_fallback(element):
            yield _text_of(element)


def _is_fallback(element: Any) -> bool:
    """Return whether a text is in a later child of a ``switch``, of which a viewer shows one.

    Else 16 of 723 drawings say "cannot display" or repeat their labels.
    """
    return any(
        _name(parent) == "switch" and next(child.itersiblings("*", preceding=True), None) is not None
        for child in (element, *element.iterancestors())
        if (parent := child.getparent()) is not None
    )


def _beside(parent: Any, name: str) -> bool:
    """Return whether the parent is a ``switch`` with a child of that name."""
    return parent is not None and _name(parent) == "switch" and any(_name(child) == name for child in parent)


def _clean(elements: list[Any]) -> None:
    for element in elements:
        name, parent = _name(element), element.getparent()
        if parent is not None and (name in _LEFT_OUT or not _is_inside(element, name)):
            parent.remove(element)
            continue
        if name == "foreignobject" and parent is not None:
            if _beside(parent, "text") or _beside(parent, "image"):
                parent.remove(element)
            else:
                _as_text(element)
        elif name == "style":
            element.text = _IMPORT.sub("", element.text or "")
        for key in list(element.attrib):
            local = key.rpartition("}")[2].lower()
            is_link = local in ("href", "src") and not element.get(key, "").strip().startswith("#")
            if local.startswith("on") or local == "base" or (is_link and name not in ("image", "feimage")):
                del element.attrib[key]


def _is_inside(element: Any, name: str) -> bool:
    """Return whether a picture in a drawing is embedded in it; others are removed."""
    if name not in ("image", "feimage"):
        return True
    sources = [value for key, value in element.attrib.items() if key.rpartition("}")[2].lower() in ("href", "src")]
    return all(source.startswith("#") or _INSIDE.match(source.strip()) for source in sources)


def _as_text(element: Any) -> None:
    """Replace HTML in a drawing, as programs write labels of boxes, by text in the middle of its box."""
    x, y, width, height = (_number(element.get(name, "")) for name in ("x", "y", "width", "height"))
    label = _text_of(element)
    text = etree.Element(f"{{{_SVG}}}text")
    text.text, text.tail = label, element.tail
    text.set("x", f"{x + width / 2:.2f}")
    text.set("y", f"{y + height / 2 + _LABEL_SIZE / 3:.2f}")
    text.set("text-anchor", "middle")
    text.set("font-size", str(_LABEL_SIZE))
    element.getparent().replace(element, text)


def _state_size(root: Any, shown: tuple[float, float], pixels: tuple[int, int]) -> None:
    """Set the declared size to the picture's: resvg allocates memory for the declared size."""
    box = [_number(part) for part in re.split(r"[\s,]+", root.get("viewBox", "").strip()[:200])[2:4]]
    if len(box) != 2 or not all(box):
        root.attrib.pop("viewBox", None)
        if all(shown):
            root.set("viewBox", f"0 0 {shown[0]:.4f} {shown[1]:.4f}")
    for name, value in zip(("width", "height"), pixels, strict=True):
        root.set(name, str(value))


def _pixels(width: float, height: float) -> tuple[int, int]:
    """Return width and height of the rendered picture."""
    if not width or not height:
        return _UNKNOWN, _UNKNOWN
    longer, shorter = max(width, height), min(width, height)
    wanted = longer if shorter < _ICON else max(longer, SMALLEST)
    scale = min(wanted, LARGEST) / longer
    return max(1, round(width * scale)), max(1, round(height * scale))


def _number(value: str) -> float:
    match = _LENGTH.match(value)
    if match is None:
        return 0.0
    try:
        return min(float(match[1]) * 10.0 ** int(match[2] or 0) * _UNITS[match[3].lower()], 1e9)
    except ValueError:  # "1.2.3"
        return 0.0


def _size(root: Any) -> tuple[float, float]:
    """Return the declared size: width and height, else the view box."""
    box = [_number(part) for part in re.split(r"[\s,]+", root.get("viewBox", "").strip()[:200])[2:4]]
    width, height = _number(root.get("width", "")), _number(root.get("height", ""))
    if len(box) == 2 and all(box):
        ratio = box[0] / box[1]
        if width and height:
            return width, height
        if width or height:
            return width or height * ratio, height or width / ratio
        return box[0], box[1]
    return (width, height) if width and height else (0.0, 0.0)
