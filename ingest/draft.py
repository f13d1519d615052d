"""Drafts: what a parser has read of a document, in reading order, before components have ids and pictures files."""

from __future__ import annotations

from dataclasses import dataclass, field

from backtrail.state.component import Link, Locator, Modality, Table


@dataclass(frozen=True)
class PictureDraft:
    """A picture as the document names it; the file is not looked at yet.

    ``others`` are sources that stand for the same picture, to be tried in turn where the first cannot be had. A
    drawing in the page itself has words and no source: ``drawn``.
    """

    source: str
    alt: str = ""
    title: str = ""
    caption: str = ""
    others: tuple[str, ...] = ()
    drawn: bool = False


@dataclass
class Draft:
    """A component before it has its id; ``ids`` are the element ids that lead to it."""

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
        """What kind of component this becomes."""
        if self.table is not None:
            return "table"
        return "image" if self.picture is not None else "text"
