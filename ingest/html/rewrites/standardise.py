"""Apply all rewrites to a page's tree.

Their figures are pages of 2,408 on which they find something: 1,403 of the development set of WCXB, 124 of
mozilla/readability and 881 of 46 whole sites.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from backtrail.ingest.html.rewrites.code_blocks import read_code
from backtrail.ingest.html.rewrites.figures import Captions, read_paragraph
from backtrail.ingest.html.rewrites.formulas import read_formula
from backtrail.ingest.html.rewrites.labelled_blocks import TabSets, read_admonition, read_details, read_title
from backtrail.ingest.html.rewrites.pictures import read_noscript, read_object, read_picture
from backtrail.ingest.html.rewrites.react_streaming import put_in_place
from backtrail.ingest.html.rewrites.sub_and_superscripts import read_script
from backtrail.ingest.html.rewrites.tree import elements

_BY_TAG = {
    "img": read_picture, "noscript": read_noscript, "details": read_details, "p": read_paragraph, "sup": read_script,
    "sub": read_script, "object": read_object,
}  # fmt: skip


def standardise(root: Any) -> None:
    """Rewrite the tree in place. Streamed fragments are moved first.

    Formulas come next, so that their pictures and scripts are not rewritten as such.
    """
    put_in_place(root)
    for step in (read_formula, read_code, _read_one):
        _for_each(root, step)
    captions, tabs = Captions(root), TabSets()

    def read_block(element: Any) -> None:
        if element.attrib and (element.get("class") or element.get("role")):
            _ = read_title(element) or read_admonition(element) or tabs.read(element) or captions.read(element)

    _for_each(root, read_block)


def _for_each(root: Any, step: Callable[[Any], object]) -> None:
    for element in elements(root):
        if element.getparent() is not None:  # not removed by an earlier step
            step(element)


def _read_one(element: Any) -> None:
    read = _BY_TAG.get(element.tag)
    if read is not None:
        read(element)
