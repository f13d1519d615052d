"""Figures that a walk over a page is in: their captions, and who may claim their ids."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from backtrail.ingest.html.links import LinkTargets
from backtrail.ingest.html.text import Inline, element_ids, read_inline

NO_CAPTION = Inline("", [], [], [], [])


@dataclass
class OpenFigure:
    """A figure, from where it begins to where it ends."""

    element: Any
    element_id: str
    caption: Inline
    ids: list[str]
    used: bool = False

    def claim(self) -> tuple[str, list[str]]:
        """The figure's own id and names, for the first picture or table in it; nothing for the others."""
        if self.used:
            return "", []
        self.used = True
        return self.element_id, self.ids


def open_figure(element: Any, targets: LinkTargets, around: OpenFigure | None) -> OpenFigure:
    """A figure that begins; one without a caption has that of the figure around it."""
    caption = element.find("figcaption")
    if caption is None:
        caption = element.find(".//figcaption")
    read = read_inline(caption, targets) if caption is not None else NO_CAPTION
    if not read.text and around is not None:
        read = around.caption
    return OpenFigure(element, element.get("id", "").strip(), read, element_ids(element) + read.ids)


def caption_in_cell(image: Any, targets: LinkTargets) -> Inline:
    """The caption of a picture in a table: that of the figure it stands in, within its cell."""
    for around in image.iterancestors("figure", "td", "th"):
        caption = around.find(".//figcaption") if around.tag == "figure" else None
        return read_inline(caption, targets) if caption is not None else NO_CAPTION
    return NO_CAPTION


def holds_picture_or_table(figure: Any) -> bool:
    """Whether a figure shows anything but text."""
    return figure.find(".//img") is not None or figure.find(".//table") is not None
