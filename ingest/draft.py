"""Drafts of components in reading order, before they have ids and picture files."""

from __future__ import annotations

from dataclasses import dataclass, field

from backtrail.state.component import Link, Locator, Modality, Table


@dataclass(frozen=True)
class PictureDraft:
    """Picture as named in the document; its file is not read yet.

    ``others`` are alternative sources, tried in turn if the first fails.
    """

    source: str
    alt: str = ""
    title: str = ""
    caption: str = ""
    others: tuple[str, ...] = ()


@dataclass
class Draft:
    """Component without id; ``ids`` are the element ids that lead to it."""

    section: str
    element_id: str = ""
    text: str = ""
    table: Table | None = None
    picture: PictureDraft | None = None
    links: list[Link] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    locator: Locator = field(default_factory=Locator)

    @property
    def modality(self) -> Modality:
        """Modality of the component."""
        if self.table is not None:
            return "table"
        return "image" if self.picture is not None else "text"
