"""Rewrite labelled blocks: tabs, admonitions, ``details``.

Their contents become a section with the label as name. All panels are read, although a script shows one at a time.
Of 2,408 pages, 137 have ``details``, 47 tabs, 44 titles of admonitions and eight notes of AsciiDoc.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from backtrail.ingest.html.elements import HEADINGS, LABEL
from backtrail.ingest.html.rewrites.tree import classes, said, taken_out

_LONGEST = 160
_TITLES = frozenset({
    "admonition-title", "markdown-alert-title", "custom-block-title", "starlight-aside__title", "alert-title",
    "callout-title", "callout-title-container", "topic-title", "sidebar-title", "admonition-heading",
})  # fmt: skip
_TAB_SETS = frozenset({"tabbed-set", "sd-tab-set", "vp-code-group", "tab-set", "tabs-container"})
_MOST_SETS = 300
_PANELS = frozenset({"tabbed-block", "tabbed-content", "sd-tab-content", "tab-pane", "tab-content"})


def read_title(element: Any) -> bool:
    """Label the block of an admonition's title; return False if the element is no such title."""
    if not _is_title(element):
        return False
    text = said(element)
    block = element.getparent()
    if block is None or block.tag == "body" or not _names(element, text):
        return False
    block.set(LABEL, text)
    if block.tag == "aside":
        block.tag = "div"
    taken_out(element)
    return True


def _is_title(element: Any) -> bool:
    if element.tag in HEADINGS:
        return False
    return any(name in _TITLES or name.startswith("admonitionheading") for name in classes(element))


def read_admonition(element: Any) -> bool:
    """Label an AsciiDoc note, a table of an icon and a text; return False if the element is none."""
    if "admonitionblock" not in classes(element):
        return False
    table = element.find("table")
    cells = [cell for cell in _within(table, 3) if cell.tag == "td"] if table is not None else []
    if table is None or len(cells) != 2:
        return False
    icon, content = cells
    drawn = next((part.get("title") or part.get("alt") for part in icon.iter("i", "img")), None)
    element.set(LABEL, (said(icon) or drawn or "")[:_LONGEST])
    content.tag, content.tail = "div", table.tail
    element.replace(table, content)
    return True


def read_details(element: Any) -> None:
    """Label what a summary unfolds."""
    summary = element.find("summary")
    if summary is not None and _names(summary, text := said(summary)):
        element.set(LABEL, text)
        taken_out(summary)


def _names(title: Any, text: str) -> bool:
    """Return whether a title is only a name: short, without links and headings, which would be lost."""
    if not text or len(text) > _LONGEST:
        return False
    return not any(next(title.iter(tag), None) is not None for tag in ("a", "img", *sorted(HEADINGS)))


class TabSets:
    """Labels panels of tabs, in a limited number of sets per page because each search is expensive."""

    def __init__(self) -> None:
        self._left = _MOST_SETS

    def read(self, element: Any) -> bool:
        """Label the panels of a set of tabs; return False if the element is none."""
        is_list = element.get("role") == "tablist"
        if not self._left or not (is_list or any(name in _TAB_SETS for name in classes(element))):
            return False
        self._left -= 1
        if is_list:
            return _read_tab_list(element)
        labels = [part for part in _within(element, 2) if part.tag == "label"]
        panels = [part for part in _within(element, 2) if _is_panel(part)]
        if not panels:
            blocks = next((part for part in element if "blocks" in classes(part)), None)
            panels = list(blocks) if blocks is not None else []
        return _name_panels(labels, panels)


def _within(element: Any, depth: int) -> list[Any]:
    found = [part for part in element if isinstance(part.tag, str)]
    return found + [below for part in found for below in _within(part, depth - 1)] if depth > 1 else found


def _is_panel(element: Any) -> bool:
    names = classes(element)
    if "tabbed-content" in names or "tab-content" in names:
        return not any("tabbed-block" in classes(part) or "tab-pane" in classes(part) for part in element)
    return any(name in _PANELS for name in names)


def _read_tab_list(tabs: Any) -> bool:
    labels = [tab for tab in tabs.iter() if isinstance(tab.tag, str) and tab.get("role") == "tab"]
    around = tabs.getparent()
    if around is None or len(labels) < 1:
        return False
    ids = {tab.get("aria-controls") for tab in labels} - {None, ""}
    places = [around, *([above] if (above := around.getparent()) is not None and above.tag != "body" else [])]
    for place in places:
        panels = [part for part in place.iter() if isinstance(part.tag, str) and part.get("role") == "tabpanel"]
        named = [part for part in panels if part.get("id") in ids] or panels
        if len(named) == len(labels):
            return _name_panels(labels, named)
    return False


def _name_panels(labels: Sequence[Any], panels: Sequence[Any]) -> bool:
    if not panels or len(labels) != len(panels):
        return False
    if any(label in panel.iterancestors() for label, panel in zip(labels, panels, strict=True)):
        return False  # an accordion, whose headings name the panels
    for label, panel in zip(labels, panels, strict=True):
        _show(panel)
        if (text := said(label)) and len(text) <= _LONGEST:
            panel.set(LABEL, text)
        taken_out(label)
    return True


def _show(panel: Any) -> None:
    for name in ("hidden", "style", "aria-hidden"):
        if name in panel.attrib:
            del panel.attrib[name]
