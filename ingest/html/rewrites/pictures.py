"""Rewrite lazy-loaded and responsive pictures: collect all sources, best first, in one attribute."""

from __future__ import annotations

import re
from itertools import islice
from typing import Any

from backtrail.ingest.html.rewrites.tree import replaced, said

SOURCES = "data-backtrail-sources"
"""Attribute of an ``img`` with its sources, one per line, in order of preference."""

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
_WHOLE_TEXT = 500
"""Minimum letters of a ``noscript`` with the page's text, as opposed to advice to enable scripts (ours)."""


def read_picture(image: Any) -> None:
    """Collect the sources of a picture, including those of its ``picture`` and of a ``noscript`` copy."""
    given = image.get("src", "").strip()
    late = [image.get(name, "").strip() for name in _LATE]
    sets = [source for name in _SETS for source in _of_set(image.get(name, ""))]
    for around in islice(image.iterancestors(), _MOST_SOURCES):  # the parser nests elements after a source in it
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
    """Return the sources of a picture in order of preference; the first may be empty."""
    return image.get(SOURCES, image.get("src", "").strip()).split("\n")


def _is_real(source: str) -> bool:
    return bool(source) and not source.startswith(("data:", "about:")) and not _PLACEHOLDER.search(source)


def _of_set(value: str) -> list[str]:
    """Return the sources of a ``srcset``, largest first; addresses may contain commas, but no white space."""
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
    """Return the source in a ``noscript`` beside a picture that a script loads."""
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
    """Rewrite an object that shows a picture to ``img``, with its fallback content as alternative text."""
    source = (element.get("data") or element.get("src") or "").strip()
    kind = (element.get("type") or "").strip().lower()
    if not source or not (kind.startswith("image/") or _FILE.search(source)):
        return
    inside = next(element.iter("img"), None)
    fallback = (inside.get("alt") if inside is not None else "") or said(element)
    picture = replaced(element, "img", "")
    picture.text = None
    picture.set("src", source)
    picture.set("alt", element.get("title") or element.get("aria-label") or fallback[:_MOST_WORDS])


def read_noscript(element: Any) -> None:
    """Show a ``noscript`` with a long text, or with a picture that has no copy beside it."""
    text = said(element)
    if len(text) > _WHOLE_TEXT:
        element.tag = "div"
    images = list(element.iter("img"))
    if not images or text:
        return
    beside = [part for part in (element.getprevious(), element.getnext()) if part is not None]
    if not any(part.tag == "img" or next(part.iter("img"), None) is not None for part in beside):
        element.tag = "span"
