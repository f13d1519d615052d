"""Rewrite sub- and superscripts: 2<sup>8</sup> becomes 2^8, not 28.

Note marks are bracketed ("[3]"); ordinals ("19th") and digits below a letter ("H2O") stay.
Of 2,408 pages, 74 have superscripts and two subscripts that are rewritten.
"""

from __future__ import annotations

import re
from typing import Any

from backtrail.ingest.html.rewrites.tree import classes, said

_LONGEST = 60
_ORDINALS = frozenset({
    "st", "nd", "rd", "th", "e", "er", "re", "ere", "ère", "eme", "ème", "es", "d", "de", "o", "a", "os", "as", "te",
    "ste", "me", "lle", "mme", "r", "gr", "le",
})  # fmt: skip
_SIGNS = re.compile(r"(?:TM|SM|MD|MC|[™℠®©°*†‡§¶′″ªº¹²³⁰-⁹]|\W)+")
_NOTE_CLASSES = re.compile(r"foot-?note|note-?ref|reference|citation|endnote", re.I)
_AFTER_NOTES = tuple(".,;:!?\"'”’»…")
_FRACTION = ("⁄", "/")
_INLINE = frozenset({"a", "b", "i", "em", "strong", "span", "font", "var", "code", "small"})
_CLOSELY = 8
"""Maximum number of elements searched for the previous character."""


def read_script(element: Any) -> None:
    """Mark a ``sup`` or ``sub``; texts longer than 60 characters are left unchanged."""
    text = said(element)
    if not text or len(text) > _LONGEST:
        return
    before, after = _before(element), (element.tail or "")[:1]
    if after in _FRACTION and after:
        _wrap(element, " " if before.isdigit() else "", "")
    elif element.tag == "sup":
        _raise(element, text, before, after)
    elif before and not before.isspace() and before not in _FRACTION:
        glued = text.isdigit() and (before.isalpha() or before in ")]")
        _wrap(element, "" if glued else "_", "")


def _raise(element: Any, text: str, before: str, after: str) -> None:
    if _is_note(element):
        if not text.startswith(("[", "(")) and text[0].isalnum():
            _wrap(element, "[", "]")
    elif not before or before.isspace() or (_SIGNS.fullmatch(text) and not re.fullmatch(r"[+\-−]+", text)):
        if before and text.isdigit() and after and not after.isspace():
            _wrap(element, "^", "")
    elif before in _AFTER_NOTES and text.isdigit():
        _wrap(element, "[", "]")
    elif not (text.lower().rstrip(".") in _ORDINALS and _may_be_ordinal(text, before)):
        alone = text.isalnum() or re.fullmatch(r"[+\-−]?\w+|[+\-−]", text)
        _wrap(element, "^" if alone else "^(", "" if alone else ")")


def _may_be_ordinal(text: str, before: str) -> bool:
    return before.isdigit() or (before.isupper() and len(text) > 1) or before in "NnMD"


def _is_note(element: Any) -> bool:
    """Return whether an element links within the page or has the class of a note."""
    if any(_NOTE_CLASSES.search(name) for name in classes(element)):
        return True
    around = element.getparent()
    links = [*element.iter("a"), *([around] if around is not None and around.tag == "a" else [])]
    return any("#" in link.get("href", "") or link.get("role") == "doc-noteref" for link in links)


def _before(element: Any) -> str:
    """Return the character directly before an element in its block; "" at the start of a line."""
    for _ in range(_CLOSELY):
        previous = element.getprevious()
        if previous is None:
            parent = element.getparent()
            if parent is None or parent.text:
                return parent.text[-1] if parent is not None else ""
            if parent.tag not in _INLINE:
                return ""
            element = parent
            continue
        if previous.tag == "br":
            return (previous.tail or "")[-1:]
        if last := _last_character(previous):
            return last
        element = previous
    return ""


def _last_character(element: Any) -> str:
    """Return the last character of an element including its tail."""
    while not element.tail:
        if not len(element):
            return (element.text or "")[-1:]
        element = element[-1]
    return element.tail[-1]


def _wrap(element: Any, opening: str, closing: str) -> None:
    element.text = f"{opening}{(element.text or '').lstrip() if opening else element.text or ''}"
    if closing:
        if len(element):
            element[-1].tail = f"{element[-1].tail or ''}{closing}"
        else:
            element.text += closing
