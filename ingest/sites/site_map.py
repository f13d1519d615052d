"""Where the addresses in the pages of an ingested folder lead, as the sites in it would resolve them.

Everything is decided among the files that were found in the folder: nothing else is looked at, let alone read.
"""

from __future__ import annotations

import itertools
import posixpath
import re
from collections import defaultdict
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from urllib.parse import unquote, urlsplit

from backtrail.ingest.sites.configuration import Configurations, lowered
from backtrail.ingest.sites.find_sites import find_sites, is_configuration
from backtrail.ingest.sites.front_matter import plain
from backtrail.ingest.sites.labels import Label, Labels
from backtrail.ingest.sites.page_heads import PageHead, read_head
from backtrail.ingest.sites.page_keys import (
    MARKDOWN_SUFFIXES,
    PAGE_SUFFIXES,
    ancestors,
    is_index,
    normal_path,
    page_key,
    served_below,
    without_suffix,
)
from backtrail.ingest.sites.places import Place
from backtrail.ingest.sites.saved_pages import SavedPages
from backtrail.ingest.sites.site import NO_SITE, Site
from backtrail.ingest.sites.site_addresses import SiteAddresses
from backtrail.ingest.sites.site_places import SitePlaces
from backtrail.ingest.sites.toctrees import sphinx_navigation
from backtrail.ingest.sites.web_address import address_key
from backtrail.ingest.unchanged.tracing import question

_PUBLISHED = ("static", "public", "docs", "assets", "content", "src")
"""Folders whose contents generators put at the root of a site, or under a root of their own."""

_RENDERED_FIRST = frozenset({"mkdocs", "hugo"})
_ORDER = re.compile(r"(?:^|(?<=/))\d{1,9}\s?[-_.]\s?(?=[^\W\d_])")
"""The number that orders a page among others, which Docusaurus and others leave out of its address."""


class SiteMap:
    """All documents, other files and sites of one ingested folder. Fill it while searching the folder.

    ``documents`` and ``files`` have the path of each by its name relative to ``root``, the ingested folder; ``hidden``
    are folders with a hidden configuration.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.documents: dict[str, Path] = {}
        self.files: dict[str, Path] = {}
        self.hidden: list[str] = []
        self.configurations = Configurations(root)

    def add_document(self, document_id: str, path: Path) -> None:
        """A file that becomes a document."""
        self.documents[document_id] = path

    def add_file(self, name: str, path: Path) -> None:
        """A file that is none: a picture beside pages, a configuration, an asset."""
        self.files[name] = path

    def add_hidden_site(self, folder: str) -> None:
        """A folder whose configuration lies in a hidden one."""
        self.hidden.append(folder)

    @cached_property
    def sites(self) -> list[Site]:
        """The sites, innermost first. Configurations that exceed a limit are noted in ``configurations``."""
        names = [name for name in (*self.documents, *self.files) if is_configuration(posixpath.basename(name))]
        return find_sites(self.configurations, names, list(self.documents), self.hidden)

    @question
    def site_of(self, name: str) -> Site:
        """The innermost site that a file belongs to."""
        folders = (name, *ancestors(name))
        return next((site for folder in folders if (site := self._by_folder.get(folder))), NO_SITE)

    @cached_property
    def _by_folder(self) -> dict[str, Site]:
        """Sites by the folders they cover: their own, and content that lies beside it."""
        found: dict[str, Site] = {}
        for site in self.sites:
            for folder in (site.folder, *site.content):
                found.setdefault(folder, site)
        return found

    @cached_property
    def saved(self) -> SavedPages:
        """The saved pages and the addresses that they give themselves."""
        return SavedPages(self.documents)

    @cached_property
    def _addresses(self) -> SiteAddresses:
        return SiteAddresses(self.sites, self.heads, self.site_of, self.document_at)

    @cached_property
    def _places(self) -> SitePlaces:
        pages = {page for listed in self._by_key.values() for page in listed}
        return SitePlaces(self.navigated, self.heads, pages, self.document_at)

    @cached_property
    def navigated(self) -> list[Site]:
        """The sites with the navigation that stands in their pages, if it does."""
        return [
            replace(site, nav=sphinx_navigation(self.documents, site.folder)) if site.flavour == "sphinx" else site
            for site in self.sites
        ]

    @question
    def place(self, id_: str) -> Place:
        """Where a page stands among the others."""
        return self._places.place(id_)

    @question
    def title(self, id_: str) -> str:
        """What a page is called, as far as that is known without reading it."""
        return self._places.title(id_)

    @question
    def url(self, id_: str) -> str:
        """The public address of a page, where its generator makes it of the path alone; "" if that is not known."""
        return self._addresses.url(id_)

    def is_template(self, name: str) -> bool:
        """Whether a page's file is a template of its site and no page."""
        folders = self.site_of(name).templates
        return bool(folders) and _suffix(name) in PAGE_SUFFIXES and not set(ancestors(name)).isdisjoint(folders)

    @question
    def head(self, id_: str) -> PageHead | None:
        """Front matter and first heading of a page; None where its kind has none."""
        return self.heads.get(id_)

    @cached_property
    def heads(self) -> dict[str, PageHead]:
        """Front matter and first heading of every Markdown page, and of HTML in sites whose generator reads both."""
        return {
            id_: read_head(path)
            for id_, path in self.documents.items()
            if _suffix(id_) in MARKDOWN_SUFFIXES
            or (_suffix(id_) in (".html", ".htm") and self.site_of(id_).flavour in ("jekyll", "hugo"))
        }

    # --- pages -----------------------------------------------------------------------------------

    @question
    def page(self, source: str, folder: str, path: str) -> str | None:
        """The document that a decoded path leads to from a page; None if it leads to none.

        Args:
            source: document id of the page.
            folder: where its relative links start.
            path: the path as written, without query and fragment.
        """
        candidates = self._candidates(source, folder, path)
        found = (self.document_at(candidate, names_folder=path.endswith("/")) for candidate in candidates)
        site, known = self.site_of(source), self._addresses
        claimed = (known.at(site, f"/{known.below_content(site, candidate)}") for candidate in candidates)
        return next(filter(None, itertools.chain(found, claimed)), None)

    @question
    def page_at(self, source: str, url: str) -> str | None:
        """The document at a full URL, if that is the address of the page's own site or of another one here."""
        key = address_key(url)
        if not key:
            return None
        split = urlsplit(url)
        for site in (self.site_of(source), *self.sites):
            base = urlsplit(site.base_url)
            if base.netloc and base.netloc.lower() == split.netloc.lower() and split.path.startswith(base.path):
                path = unquote(split.path, errors="replace")
                return self._addresses.at(site, path) or self._addresses.at_root(site, split.path) or self.saved.at(key)
        return self.saved.at(key)

    @question
    def page_named(self, source: str, name: str) -> str | None:
        """The one document whose file, title or path ends with a name, as wikis and Hugo's ``ref`` find it."""
        key = page_key(name)
        within = posixpath.dirname(source)
        beside = self.document_at(posixpath.normpath(posixpath.join(within, name.lstrip("/"))), names_folder=False)
        if beside is not None and not name.startswith("/"):
            return beside
        found = [
            id_ for id_ in self._by_name.get(key.rpartition("/")[2], []) if f"/{page_key(id_)}".endswith(f"/{key}")
        ]
        site = self.site_of(source)
        return min(found, key=lambda id_: (self.site_of(id_) is not site, id_.count("/"), id_)) if found else None

    @question
    def target(self, source: str, name: str) -> tuple[str, str] | None:
        """The page that sets a target of MyST (``(name)=``) or a label which another page links to, and its place."""
        label = self.label(source, name)
        if label is not None:
            return label.page, label.fragment
        site = self.site_of(source)
        if site.flavour != "sphinx":
            return None
        found = self._targets.get(name.lower(), ())
        return next(((id_, name) for id_ in found if id_ == source or self.site_of(id_) is site), None)

    @cached_property
    def _targets(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for id_, head in self.heads.items():
            for name in head.targets:
                found[name.lower()].append(id_)
        return dict(found)

    @question
    def label(self, source: str, name: str) -> Label | None:
        """The label of reStructuredText that a page refers to: one of its own site."""
        site = self.site_of(source)
        return next((label for label in self.labels.named(name) if self.site_of(label.page) is site), None)

    @cached_property
    def labels(self) -> Labels:
        """The labels of all pages."""
        return Labels(self.documents)

    @question
    def file_named(self, source: str, name: str) -> str | None:
        """The file that a name or the end of a path stands for; the nearest to the page where there are several."""
        ending = f"/{name.strip('/').lower()}"
        found = [
            path
            for path in self._files_by_name.get(ending.rpartition("/")[2], ())
            if f"/{path}".lower().endswith(ending)
        ]
        return min(found, key=lambda path: (-len(posixpath.commonpath([f"/{path}", f"/{source}"])), path), default=None)

    @cached_property
    def _files_by_name(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for path in (*self.files, *self.documents):
            found[posixpath.basename(path).lower()].append(path)
        return dict(found)

    def rendered_folder(self, source: str) -> str:
        """The folder that links relative to the rendered page start from: ``a/b.md`` is shown at ``a/b/``."""
        return posixpath.dirname(source) if is_index(source) else without_suffix(source)

    def _candidates(self, source: str, folder: str, path: str) -> list[str]:
        site = self.site_of(source)
        if path.startswith("/"):
            return self._rooted(site, source, path)
        places = [folder]
        written_as_file = posixpath.splitext(path.lower())[1] in PAGE_SUFFIXES
        if site.flavour == "docusaurus" and written_as_file and not path.startswith("."):
            places += [*site.content, site.folder]  # a file that is not beside the page is one from the root
        if site.pretty:
            places.append(self.rendered_folder(source))
            if site.flavour in _RENDERED_FIRST and not written_as_file:
                places.reverse()
        return list(filter(None, (normal_path(posixpath.join(place, path)) for place in places)))

    def _rooted(self, site: Site, source: str, path: str) -> list[str]:
        """Where a path from the root may lie: the site's own roots first, then every folder above the page."""
        tails = [path.lstrip("/")]
        base = urlsplit(site.base_url).path.strip("/")
        if base and tails[0].startswith(f"{base}/"):
            tails.insert(0, tails[0][len(base) + 1 :])
        roots = [*site.content, *site.static, *([site.folder] if site is not NO_SITE else [])]
        for above in ancestors(source)[::-1]:
            roots += [above, *(posixpath.join(above, name) for name in _PUBLISHED)]
        places = (normal_path(posixpath.join(root, tail)) for tail in tails for root in dict.fromkeys(roots))
        return [*filter(None, places), *served_below(self.root, source, tails[0])]

    def document_at(self, path: str, *, names_folder: bool) -> str | None:
        """The document of a path within the ingested folder, with or without suffix; None if there is none.

        Args:
            names_folder: whether the path stands for a folder, and so for its index page.
        """
        if path in self.documents and not names_folder:
            return path
        found = self._by_key.get(page_key(path), ())
        if not found or posixpath.splitext(path.lower())[1] in _NO_PAGES:
            return None
        wanted = names_folder or is_index(path)
        return min(found, key=lambda id_: (is_index(id_) is not wanted, _RANK.get(_suffix(id_), 9), id_))

    @cached_property
    def _by_key(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for id_ in self.documents:
            if _suffix(id_) in PAGE_SUFFIXES:
                found[page_key(id_)].append(id_)
                if (unnumbered := page_key(_ORDER.sub("", id_))) != page_key(id_):
                    found[unnumbered].append(id_)
        return dict(found)

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for id_ in self.documents:
            found[page_key(id_).rpartition("/")[2]].append(id_)
        return dict(found)

    @question
    def cascaded(self, id_: str, name: str) -> str:
        """A value that the page of a folder above hands down to all pages in it (Hugo's ``cascade``)."""
        for folder in ancestors(id_):
            head = self.heads.get(posixpath.join(folder, "_index.md"))
            given = head.front.values.get("cascade") if head else None
            for values in given[:100] if isinstance(given, list) else [given]:
                handed = lowered(values)
                found = plain(handed.get(name)) or plain(lowered(handed.get("params")).get(name))
                if found:
                    return found
        return ""

    @question
    def has_document(self, id_: str) -> bool:
        """Whether a file of that id was found that becomes a document."""
        return id_ in self.documents

    @question
    def path_of(self, name: str) -> Path | None:
        """The file of that id, if it was found."""
        return self.files.get(name) or self.documents.get(name)

    # --- files ---------------------------------------------------------------------------------------

    @question
    def file(self, source: str, folder: str, path: str) -> Path | None:
        """The file among those found that a decoded path names from a page: a picture, say."""
        for candidate in self._candidates(source, folder, path):
            found = self.files.get(candidate) or self.documents.get(candidate)
            if found is not None:
                return found
        return None


_RANK = {suffix: rank for rank, suffix in enumerate((*MARKDOWN_SUFFIXES, ".html", ".htm"))}
_NO_PAGES = frozenset(
    {".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".avif", ".zip", ".json", ".js", ".css", ".xml", ".pdf"}
)


def _suffix(path: str) -> str:
    return posixpath.splitext(path.lower())[1]
