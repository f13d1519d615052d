"""Open figures of the tree walk: their captions and ids."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from backtrail.ingest.html.links import LinkTargets
from backtrail.ingest.html.text import Inline, element_ids, read_inline

NO_CAPTION = Inline("", [], [], [], [])


@dataclass
class OpenFigure:
    """Figure between its start and end."""

    element: Any
    element_id: str
    caption: Inline
    ids: list[str]
    used: bool = False

    def claim(self) -> tuple[str, list[str]]:
        """Return the figure's id and names for its first picture or table; nothing for the others."""
        if self.used:
            return "", []
        self.used = True
        return self.element_id, self.ids


def open_figure(element: Any, targets: LinkTargets, around: OpenFigure | None) -> OpenFigure:
    """Open a figure; without a caption it takes that of the surrounding figure."""
    caption = element.find("figcaption")
    if caption is None:
        caption = element.find(".//figcaption")
    read = read_inline(caption, targets) if caption is not None else NO_CAPTION
    if not read.text and around is not None:
        read = around.caption
    return OpenFigure(element, element.get("id", "").strip(), read, element_ids(element) + read.ids)


def holds_picture_or_table(figure: Any) -> bool:
    """Return whether a figure contains a picture or table."""
    return figure.find(".//img") is not None or figure.find(".//table") is not None
