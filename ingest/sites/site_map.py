"""Resolution of addresses in the pages of an ingested folder, as the rendered site resolves them.

Only files found in the folder are considered. A path from the root of a site leads to a file whose path ends with it,
because generators publish folders under other roots.
"""

from __future__ import annotations

import posixpath
from collections import defaultdict
from functools import cached_property
from pathlib import Path
from urllib.parse import unquote, urlsplit

from backtrail.ingest.parse_cache.trace_dependencies import question
from backtrail.ingest.sites.find_sites import Site, find_sites, is_configuration
from backtrail.ingest.sites.labels import Label, fragment_of, labels_of
from backtrail.ingest.sites.page_heads import PageHead, read_head
from backtrail.ingest.sites.page_keys import (
    MARKDOWN_SUFFIXES,
    PAGE_SUFFIXES,
    ancestors,
    is_index,
    nearest,
    normal_path,
    page_key,
    without_suffix,
)
from backtrail.ingest.sites.places import Place, places_of
from backtrail.ingest.sites.saved_pages import SavedPages
from backtrail.ingest.sites.web_address import address_key


class SiteMap:
    """All documents, other files and sites of one ingested folder. Fill it while searching the folder.

    ``documents`` and ``files`` map names relative to ``root``, the ingested folder, to paths.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.documents: dict[str, Path] = {}
        self.files: dict[str, Path] = {}
        self.refused: dict[Path, str] = {}

    def add_document(self, document_id: str, path: Path) -> None:
        """Add a file that becomes a document."""
        self.documents[document_id] = path

    def add_file(self, name: str, path: Path) -> None:
        """Add a file that does not: a picture beside pages, a configuration, an asset."""
        self.files[name] = path

    @cached_property
    def sites(self) -> list[Site]:
        """The sites, innermost first. Fills ``refused`` with reasons for configurations beyond a limit."""
        names = [name for name in (*self.documents, *self.files) if is_configuration(posixpath.basename(name))]
        sites, self.refused = find_sites(self.root, names)
        return sites

    @cached_property
    def saved(self) -> SavedPages:
        """The saved pages with their canonical addresses."""
        return SavedPages(self.documents)

    @cached_property
    def heads(self) -> dict[str, PageHead]:
        """Front matter and first heading of every Markdown page."""
        return {id_: read_head(path) for id_, path in self.documents.items() if _suffix(id_) in MARKDOWN_SUFFIXES}

    @cached_property
    def labels(self) -> dict[str, Label]:
        """The labels of all pages."""
        return labels_of(self.documents)

    @cached_property
    def _places(self) -> dict[str, Place]:
        return places_of((page for listed in self._by_key.values() for page in listed), self.heads)

    @question
    def place(self, id_: str) -> Place:
        """Return the place of a page in the hierarchy."""
        return self._places.get(id_) or Place()

    @question
    def title(self, id_: str) -> str:
        """Return the title from a page's head, else its file's name."""
        head = self.heads.get(id_)
        return (head.title if head else "") or posixpath.basename(without_suffix(id_))

    @question
    def head(self, id_: str) -> PageHead | None:
        """Return front matter and first heading of a Markdown page; None for other pages."""
        return self.heads.get(id_)

    @question
    def page(self, source: str, folder: str, path: str) -> str | None:
        """Return the document that a decoded path leads to from a page; None if there is none.

        Args:
            source: document id of the page.
            folder: where its relative links start.
            path: the path as written, without query and fragment.
        """
        if path.startswith("/"):
            return self._rooted(source, path)
        for place in _starts(source, folder, path):
            joined = normal_path(posixpath.join(place, path))
            found = joined and self.document_at(joined, names_folder=path.endswith("/"))
            if found:
                return found
        # authors also write paths from the root without a slash; off: 6 of 2,893 Markdown pages lose links
        return self._rooted(source, f"/{path}") if "/" in path.strip("/") and not path.startswith(".") else None

    @question
    def page_at(self, source: str, url: str) -> str | None:
        """Return the document at a full URL: a saved page, or a page below a site's address; else None."""
        key = address_key(url)
        if not key:
            return None
        split = urlsplit(url)
        for site in self.sites:
            base = urlsplit(site.base_url)
            if base.netloc and base.netloc.lower() == split.netloc.lower() and split.path.startswith(base.path):
                below = "/" + unquote(split.path[len(base.path) :], errors="replace")
                return self._rooted(posixpath.join(site.folder, "index.md"), below) or self.saved.at(key)
        return self.saved.at(key)

    @question
    def page_named(self, source: str, name: str) -> str | None:
        """Return the nearest document whose path ends with a name, as wikis resolve links; else None."""
        beside = normal_path(posixpath.join(posixpath.dirname(source), name.lstrip("/")))
        found = self.document_at(beside, names_folder=False) if beside and not name.startswith("/") else None
        return found or nearest(self._ending(name), source)

    @question
    def label(self, name: str) -> Label | None:
        """Return the label of a name; None if no page defines it."""
        return self.labels.get(fragment_of(name))

    @question
    def file_named(self, source: str, name: str) -> str | None:
        """Return the file nearest to the page whose path ends with a name; None if there is none."""
        ending = f"/{name.strip('/').lower()}"
        found = self._files_by_name.get(posixpath.basename(ending), ())
        return nearest((path for path in found if f"/{path}".lower().endswith(ending)), source)

    @question
    def path_of(self, name: str) -> Path | None:
        """Return the path of a file or document; None if it was not found."""
        return self.files.get(name) or self.documents.get(name)

    @question
    def file(self, source: str, folder: str, path: str) -> Path | None:
        """Return the file, such as a picture, that a decoded path leads to from a page; else None."""
        if path.startswith("/"):
            found = next(filter(None, (self.file_named(source, tail) for tail in self._tails(source, path))), None)
            return self.path_of(found) if found else None
        joined = (normal_path(posixpath.join(place, path)) for place in _starts(source, folder, path))
        return next(filter(None, (self.path_of(name) for name in joined if name)), None)

    def document_at(self, path: str, *, names_folder: bool) -> str | None:
        """Return the document at a path in the ingested folder, with or without suffix; None if there is none.

        Args:
            names_folder: whether the path is that of a folder, so that its index page is preferred.
        """
        if path in self.documents and not names_folder:
            return path
        found = self._by_key.get(page_key(path), ())
        if not found:
            return None
        wanted = names_folder or is_index(path)
        return min(found, key=lambda id_: (is_index(id_) is not wanted, _RANK.get(_suffix(id_), 9), id_))

    def _rooted(self, source: str, path: str) -> str | None:
        """Return the document that a path from the root of a site leads to."""
        if not page_key(path):
            return self.document_at(".", names_folder=True)
        for tail in self._tails(source, path):
            key = nearest({page_key(id_): id_ for id_ in self._ending(tail)}.values(), source)
            if key is not None:
                return self.document_at(without_suffix(key), names_folder=path.endswith("/") or is_index(path))
        return None

    def _tails(self, source: str, path: str) -> list[str]:
        """Return path ends to try: all, behind the site's base, behind a folder above."""
        within = ancestors(source)
        bases = [urlsplit(site.base_url).path for site in self.sites if site.base_url and site.folder in within]
        below = [path[len(base) - 1 :] for base in bases if len(base) > 1 and path.startswith(base)]
        first, _, rest = path.lstrip("/").partition("/")
        # without the name of the root: 609 of 5,148 links within the documentation folders of 10 sites are dead
        above = {*posixpath.dirname(source).split("/"), self.root.name}
        below += [rest] if rest and first in above else []  # off: 70 of 2,893 Markdown pages lose links
        return [path, *below]

    def _ending(self, name: str) -> list[str]:
        """Return the documents whose path ends with a name."""
        key = page_key(name)
        listed = self._by_name.get(posixpath.basename(key), ())
        return [id_ for id_ in listed if f"/{page_key(id_)}".endswith(f"/{key}")]

    @cached_property
    def _by_key(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for id_ in self.documents:
            if _suffix(id_) in PAGE_SUFFIXES:
                found[page_key(id_)].append(id_)
        return dict(found)

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for key, listed in self._by_key.items():
            found[posixpath.basename(key)] += listed
        return dict(found)

    @cached_property
    def _files_by_name(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for path in (*self.files, *self.documents):
            found[posixpath.basename(path).lower()].append(path)
        return dict(found)


_RANK = {suffix: rank for rank, suffix in enumerate((*MARKDOWN_SUFFIXES, ".html", ".htm"))}


def _starts(source: str, folder: str, path: str) -> list[str]:
    """Return the base folders of a relative path: the file's, the rendered page's (``a/b/`` for ``a/b``).

    Without the second, 33 of 2,893 Markdown pages lose links or get others.
    """
    rendered = posixpath.dirname(source) if is_index(source) else without_suffix(source)
    starts = [folder, rendered]
    return starts[::-1] if path.endswith("/") and _suffix(source) in MARKDOWN_SUFFIXES else starts


def _suffix(path: str) -> str:
    return posixpath.splitext(path.lower())[1]
