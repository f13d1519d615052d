"""Rewrite formulas to text: their TeX, else their MathML in one line.

Supported are MathML with annotations or ``alttext`` (MediaWiki, LaTeXML, pandoc), KaTeX, MathJax 2 and 3, and pictures
of formulas with TeX as alternative text. One of several copies of a formula is kept.
"""

from __future__ import annotations

import re
from typing import Any

from backtrail.ingest.html.rewrites.mathml import mathml_text
from backtrail.ingest.html.rewrites.tree import classes, replaced, said, taken_out

_PICTURES = frozenset({
    "tex", "latex", "math", "formula", "mwe-math-fallback-image-inline", "mwe-math-fallback-image-display",
})  # fmt: skip
_WRAPPERS = frozenset({"katex", "mwe-math-element"})
_RENDERED = frozenset({
    "mathjax_preview", "mathjax", "mathjax_display", "mathjax_svg", "mathjax_svg_display", "mathjax_chtml", "mjx-chtml",
})  # fmt: skip
_DISPLAY_STYLE = re.compile(r"^\{\s*\\(?:display|text)style\s+(.*)\}$", re.S)
_DELIMITED = re.compile(r"^(?:\$\$?|\\[(\[])(.*?)(?:\$\$?|\\[)\]])$", re.S)
_TEX = re.compile(r"[\\^_{}]")


def read_formula(element: Any) -> bool:
    """Replace a formula by its text; return False if the element is no formula."""
    tag = element.tag
    if tag == "math" or tag.endswith(("}math", ":math")):
        return _put(element, _of_math(element))
    if tag == "img":
        return _is_formula(element) and _put(element, tex_text(element.get("alt", "")))
    if tag == "script":
        return element.get("type", "").lower().startswith("math/") and _put(element, _of_script(element))
    if tag == "mjx-container":
        math = next(element.iter("math"), None)
        return math is not None and _put(element, _of_math(math))
    if "class" not in element.attrib:
        return False
    names = set(classes(element))
    if names & _WRAPPERS:
        math = next(element.iter("math"), None)
        return math is not None and _put(element, _of_math(math))
    return bool(names & _RENDERED) and _of_mathjax(element)


def _put(element: Any, text: str) -> bool:
    if element.getparent() is None or not text.strip():
        return False
    display = element.get("display") == "block"
    replaced(element, "span", f" {text} " if display else text)
    return True


def tex_text(text: str) -> str:
    """Remove TeX delimiters and display styles; add dollars around TeX that is more than a name or a sum."""
    text = " ".join(text.split())
    for wrapper in (_DELIMITED, _DISPLAY_STYLE):
        inside = wrapper.match(text)
        text = inside[1].strip() if inside else text
    return f"${text}$" if _TEX.search(text) else text


def _of_math(math: Any) -> str:
    """Return the TeX annotation of MathML, else its text."""
    for part in math.iter():
        is_source = isinstance(part.tag, str) and part.tag.rpartition("}")[2].lower() == "annotation"
        if is_source and "tex" in part.get("encoding", "").lower() and (part.text or "").strip():
            return tex_text(part.text)
    return tex_text(math.get("alttext", "")) or mathml_text(math) or math.get("alt", "")


def _of_script(script: Any) -> str:
    """Return the TeX input of MathJax 2; MathML as text is not read."""
    return "" if "mml" in script.get("type", "").lower() else tex_text(script.text or "")


def _is_formula(image: Any) -> bool:
    return bool(image.get("alt", "").strip()) and not _PICTURES.isdisjoint(classes(image))


def _of_mathjax(element: Any) -> bool:
    """Remove the rendered copy of a formula if its source follows; else read its MathML."""
    if _source_follows(element):
        taken_out(element)
        return True
    math = next(element.iter("math"), None)
    if math is not None:
        return _put(element, _of_math(math))
    if not said(element):
        taken_out(element)
        return True
    return False


def _source_follows(element: Any) -> bool:
    """Return whether one of the next elements is the script with the source."""
    for _ in range(3):
        element = element.getnext()
        if element is None:
            return False
        if element.tag == "script" and element.get("type", "").lower().startswith("math/tex"):
            return True
    return False
