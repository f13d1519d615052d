"""A site as its configuration describes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

Flavour = Literal["mkdocs", "mdbook", "hugo", "docusaurus", "sphinx", "jekyll", "vitepress", "unknown"]


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
    """What one site of an ingested folder says of itself. All paths are relative to that folder, in POSIX form.

    Attributes:
        folder: where its configuration lies; "" for the ingested folder.
        content: folders that become the site's root; the first also holds what absolute aliases stand for.
        static: folders that are copied to the site's root as they are.
        snippets: folders that included files are looked for in.
        templates: folders of templates, whose HTML is no page.
        base_url: the public address of the site's root, with a slash at its end; "" if it is not told.
        pretty: whether ``a.md`` is shown at ``a/``, which links relative to the rendered page count from.
        macros: whether ``{{ … }}`` in the text is evaluated; None if that is not known.
        variables: what such macros stand for, by dotted name.
        redirects: former addresses, relative to the site's root, with where they lead.
    """

    folder: str = ""
    flavour: Flavour = "unknown"
    name: str = ""
    base_url: str = ""
    content: tuple[str, ...] = ()
    static: tuple[str, ...] = ()
    snippets: tuple[str, ...] = ()
    templates: tuple[str, ...] = ()
    pretty: bool = True
    macros: bool | None = None
    variables: Mapping[str, str] = field(default_factory=dict)
    redirects: Mapping[str, str] = field(default_factory=dict, repr=False)
    nav: tuple[NavEntry, ...] = field(default=(), repr=False)


class DocumentAt(Protocol):
    """Finds the document of a path within the ingested folder; see ``SiteMap.document_at``."""

    def __call__(self, path: str, *, names_folder: bool) -> str | None:
        """The document id, or None."""
        ...


NO_SITE = Site()
"""What pages belong to that no configuration covers."""
