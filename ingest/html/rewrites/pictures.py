"""Pictures that load late, or in several sizes: all sources that stand for one, best first, in one attribute.

Also words of drawings that stand in the page itself (SVG), as the alternative text of a picture without a file.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import Any

from backtrail.ingest.html.rewrites.tree import replaced, said

SOURCES = "data-backtrail-sources"
"""Attribute of an ``img``: its sources, one a line, in the order they are to be tried."""

DRAWN = "data-backtrail-drawn"
"""Attribute of an ``img`` that stands for a drawing in the page, which has words and no file."""

_LATE = (
    "data-src", "data-original", "data-lazy-src", "data-lazy", "data-orig-file", "data-large-file", "data-full-src",
    "data-hi-res-src", "data-image", "data-url", "data-echo", "data-pagespeed-lazy-src", "data-actualsrc",
)  # fmt: skip
_SETS = ("data-srcset", "data-lazy-srcset", "srcset")
_PLACEHOLDER = re.compile(
    r"(?:^|[/_.-])(?:blank|spacer|placeholder|transparent|pixel|loading|lazy|1x1|grey|gray)[_.-]", re.I
)
_FILE = re.compile(r"\.(?:svg|png|jpe?g|gif|webp|avif)(?:[?#].{0,200})?$", re.I)
_SIZE = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)[wx](?:,(\S*))?")
_MOST_SOURCES = 12
_LONGEST_SET = 20_000
_MOST_WORDS = 2_000
_ICON_WORDS = 2
_WHOLE_TEXT = 500
"""Letters in a ``noscript`` from which on it is the page's text and no advice to switch scripts on (ours)."""


def read_picture(image: Any) -> None:
    """Gather the sources of a picture, those of its ``picture`` and of a copy for readers without scripts too."""
    given = image.get("src", "").strip()
    late = [image.get(name, "").strip() for name in _LATE]
    sets = [source for name in _SETS for source in _of_set(image.get(name, ""))]
    for around in islice(image.iterancestors(), _MOST_SOURCES):  # the parser puts what follows a source into it
        if around.tag == "picture":
            sets += [s for part in around.iter("source") for name in _SETS for s in _of_set(part.get(name, ""))]
        elif around.tag != "source":
            break
    copy = _copy(image)
    sources = [given, *late, *sets] if _is_real(given) else [*late, *sets, copy, given]
    sources = [source for source in dict.fromkeys(sources) if source]
    if sources[1:] or sources != [given]:
        image.set(SOURCES, "\n".join(source for source in sources if "\n" not in source))


def sources(image: Any) -> list[str]:
    """The sources of a picture in the order they are to be tried; the first may be empty."""
    return image.get(SOURCES, image.get("src", "").strip()).split("\n")


def _is_real(source: str) -> bool:
    return bool(source) and not source.startswith(("data:", "about:")) and not _PLACEHOLDER.search(source)


def _of_set(value: str) -> list[str]:
    """The sources of a ``srcset``, largest first; addresses may have commas in them, but no white space."""
    found: list[tuple[float, str]] = []
    address = ""
    for word in value[:_LONGEST_SET].split():
        size = _SIZE.fullmatch(word) if address else None
        if size is None:
            found.extend([(1.0, address)] if address else [])
            address = word.rstrip(",")
            if word.endswith(","):
                found.append((1.0, address))
                address = ""
        else:
            found.append((float(size[1]), address))
            address = size[2] or ""
    found.extend([(1.0, address)] if address else [])
    return [source for _, source in sorted(found, key=lambda one: -one[0])]


def _copy(image: Any) -> str:
    """The source in the ``noscript`` beside a picture that is loaded by a script."""
    for beside in (image.getnext(), image.getprevious(), *_around(image)):
        if beside is not None and beside.tag == "noscript":
            copies = list(beside.iter("img"))
            if len(copies) == 1 and _is_real(copies[0].get("src", "")):
                copy = copies[0]
                if not image.get("alt") and copy.get("alt"):
                    image.set("alt", copy.get("alt"))
                return copy.get("src").strip()
    return ""


def _around(image: Any) -> list[Any]:
    parent = image.getparent()
    is_alone = image.getnext() is None and image.getprevious() is None
    return [parent.getnext(), parent.getprevious()] if parent is not None and is_alone else []


def read_object(element: Any) -> None:
    """A picture that is shown as an object becomes one; what it says for browsers that cannot is its text."""
    source = (element.get("data") or element.get("src") or "").strip()
    kind = (element.get("type") or "").strip().lower()
    if not source or not (kind.startswith("image/") or _FILE.search(source)):
        return
    inside = next(element.iter("img"), None)
    said_of_it = (inside.get("alt") if inside is not None else "") or said(element)
    picture = replaced(element, "img", "")
    picture.text = None
    picture.set("src", source)
    picture.set("alt", element.get("title") or element.get("aria-label") or said_of_it[:_MOST_WORDS])


def read_noscript(element: Any) -> None:
    """Show what readers without scripts see: a long text, or a picture that nothing beside it stands for."""
    text = said(element)
    if len(text) > _WHOLE_TEXT:
        element.tag = "div"
    images = list(element.iter("img"))
    if not images or text:
        return
    beside = [part for part in (element.getprevious(), element.getnext()) if part is not None]
    if not any(part.tag == "img" or next(part.iter("img"), None) is not None for part in beside):
        element.tag = "span"


def read_drawing(element: Any) -> None:
    """An ``svg`` with words becomes a picture of them; icons say too little."""
    parts = [part for part in element.iter() if isinstance(part.tag, str)]
    names = [part.tag.rpartition("}")[2].lower() for part in parts]
    titles = [said(part) for part, name in zip(parts, names, strict=True) if name in ("title", "desc")]
    labels = [said(part) for part, name in zip(parts, names, strict=True) if name == "text"]
    labels += [said(part) for part, name in zip(parts, names, strict=True) if name == "foreignobject"]
    words = "; ".join(dict.fromkeys(label for label in labels if label))
    if len(words.split()) <= _ICON_WORDS or element.get("aria-hidden") == "true":
        return
    title = ". ".join(dict.fromkeys(title for title in titles if title))
    text = f"{title}: {words}" if title else words
    drawing = replaced(element, "img", "")
    drawing.text = None
    drawing.set("alt", text[:_MOST_WORDS])
    drawing.set("src", "")
    drawing.set(DRAWN, "")
