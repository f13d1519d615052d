"""Rewrite captions of sites to ``figure`` and ``figcaption``.

MediaWiki (``thumbcaption``, ``gallerytext``), WordPress (``wp-caption-text``, galleries), Sphinx and docutils
(``p.caption``), AsciiDoc (``div.title``), DocBook, Blogger (``tr-caption``), and paragraphs of a picture with its
caption in italics below it.
Of 2,408 pages, 70 have captions with such names and three such paragraphs.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]

from backtrail.ingest.html.rewrites.tree import ancestors, classes, said

_CAPTIONS = frozenset({
    "thumbcaption", "gallerytext", "wp-caption-text", "wp-caption-dd", "gallery-caption", "tr-caption", "caption",
    "caption-text", "image-caption", "img-caption", "photo-caption", "figure-caption", "figcaption", "picture-caption",
    "media-caption", "imgcaption", "image__caption", "infobox-caption", "kg-image-caption", "blocks-gallery-caption",
    "pi-caption", "lightbox-caption", "image-description", "table-caption", "tablecaption", "captiontext",
})  # fmt: skip
_TITLED = frozenset({"imageblock", "figure", "table", "tableblock", "informalfigure"})
"""Blocks of AsciiDoc and DocBook, whose captions have the class ``title``."""
_HOLDERS = frozenset({"div", "p", "li", "dl", "span", "section", "center", "table", "a", "figure", "td", "th"})
_PARTS = ("table", "tbody", "tr", "td", "th", "dl", "dt", "dd")
_FARTHEST = 5
_LONGEST = 1_000
_EMPHASIS = frozenset({"em", "i", "small", "cite", "sub"})


class Captions:
    """Rewriter of captions and the pictures or tables beside them.

    Args:
        root: root of the page, whose pictures, tables and headings are counted once.
    """

    def __init__(self, root: Any) -> None:
        self._images = _counted(root, "img")
        self._tables = _counted(root, "table")
        self._headings = _counted(root, *_HEADINGS)

    def read(self, element: Any) -> bool:
        """Make a figure if the element is a caption; else return False."""
        if element.tag in ("caption", "figcaption", "img", "table", "body", "figure") or not _is_caption(element):
            return False
        text = said(element)
        if not text or len(text) > _LONGEST:
            return False
        for holder in ancestors(element, _FARTHEST):
            if holder.tag == "figure" and next(holder.iter("figcaption"), None) is not None:
                return False
            if holder.tag not in ("tr", "tbody") and self._shows(holder, element):
                if holder.tag not in _HOLDERS or self._headings[holder]:
                    return False
                _make_figure(holder, element)
                return True
        return False

    def _shows(self, holder: Any, caption: Any) -> bool:
        """Return whether a holder has a picture or table other than those in or around the caption."""
        if self._images[holder] > self._images[caption]:
            return True
        around = sum(1 for table in ancestors(caption, _FARTHEST) if table.tag == "table" and table is not holder)
        return self._tables[holder] > self._tables[caption] + around


def _counted(root: Any, *tags: str) -> Counter[Any]:
    """Count the descendants with these tags of each element."""
    return Counter(around for element in root.iter(*tags) for around in element.iterancestors())


_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


def _is_caption(element: Any) -> bool:
    names = classes(element)
    if any(name in _CAPTIONS for name in names):
        return True
    parent = element.getparent()
    return "title" in names and parent is not None and any(name in _TITLED for name in classes(parent))


def _make_figure(holder: Any, caption: Any) -> None:
    if holder.tag in ("td", "th"):
        figure = etree.SubElement(holder, "figure")
        figure.text, holder.text = holder.text, None
        figure.extend([part for part in holder if part is not figure])
        holder = figure
    arranged = holder.tag in ("table", "dl")
    if holder.tag == "li":
        _without_list(holder)
    holder.tag = "figure"
    for part in list(holder.iter(*_PARTS)) if arranged else []:
        part.tag = "div"
    caption.tag = "figcaption"


def _without_list(item: Any) -> None:
    """Turn a list of captioned pictures, which is a gallery, into divs."""
    parent = item.getparent()
    if parent is not None and parent.tag in ("ul", "ol"):
        parent.tag = "div"
        for other in parent.iterchildren("li"):
            other.tag = "div"


def read_paragraph(element: Any) -> None:
    """Rewrite a paragraph of a picture and its caption in italics or small type to a figure."""
    parts = [part for part in element if part.tag not in ("br", "noscript")]
    if len(parts) != 2 or parts[1].tag not in _EMPHASIS or (element.text or "").strip():
        return
    shown, caption = parts
    alone = shown.tag == "img" or (shown.tag in ("a", "picture") and next(shown.iter("img"), None) is not None)
    loose = any((part.tail or "").strip() for part in element)
    if alone and not said(shown) and not loose and 0 < len(said(caption)) <= _LONGEST:
        element.tag, caption.tag = "figure", "figcaption"
