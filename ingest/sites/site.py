"""A site as its configuration describes it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True)
class NavEntry:
    """One line of a site's navigation; a section without a page of its own has no ``path``.

    ``path`` is relative to the ingested folder; ``depth`` is 0 at the top.
    """

    title: str
    path: str
    depth: int


@dataclass(frozen=True)
class Site:
    """What one site of an ingested folder says of itself.

    Attributes:
        folder: where its configuration lies, relative to the ingested folder; "" for that folder.
        base_url: the public address of the site's root, with a slash at its end; "" if it is not given.
        nav: its navigation in order.
    """

    folder: str = ""
    base_url: str = ""
    nav: tuple[NavEntry, ...] = field(default=(), repr=False)


class DocumentAt(Protocol):
    """Finds the document of a path within the ingested folder; see ``SiteMap.document_at``."""

    def __call__(self, path: str, *, names_folder: bool) -> str | None:
        """The document id, or None."""
        ...
