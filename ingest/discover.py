"""Discover the files under the input paths that become documents, and their ids."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from backtrail.ingest.errors import IngestError
from backtrail.ingest.kinds import PAGES, SourceKind, kind_of, supported, why_not_read
from backtrail.ingest.pictures.sidecar_files import describes_a_picture
from backtrail.ingest.sites.find_sites import is_configuration
from backtrail.ingest.sites.site_map import SiteMap
from backtrail.tools.home import home

_ASSETS = frozenset(
    {
        ".css", ".js", ".mjs", ".map", ".json", ".xml", ".ico", ".woff", ".woff2", ".ttf", ".otf", ".eot",
        ".scss", ".less", ".webmanifest",
    }
)  # fmt: skip
"""Extensions of files that belong to pages but have no content."""

_FOR_CRAWLERS = frozenset({"robots.txt", "humans.txt", "ads.txt", "app-ads.txt", "security.txt"})
"""Text files of sites that are meant for programs."""

_TEMPLATES = frozenset({"layouts", "_layouts", "_includes", "archetypes"})
"""Folders with HTML templates of site generators."""

_IGNORED = (".", "~$")
"""Beginnings of names of hidden files and of the lock files of office programs."""

_NO_TEXT = "its path is not valid UTF-8; rename it"


class NothingToIngest(IngestError):
    """The input paths contain nothing that can be read."""


class DuplicateDocument(IngestError):
    """Two files would have the same document id."""


class NoSuchPath(IngestError):
    """An input path does not exist."""


@dataclass(frozen=True)
class Source:
    """File or bundle folder to parse.

    ``document_id`` is its POSIX path relative to the input folder, or the name of a file given directly. ``root`` is
    the folder that pictures may come from: the input folder, or that of the file. ``site_map`` knows all files of the
    input folder; None for a file given directly.
    """

    kind: SourceKind
    path: Path
    document_id: str
    root: Path
    site_map: SiteMap | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Skipped:
    """File without a document, and the reason. ``unknown`` is an extension that is not supported."""

    path: Path
    reason: str
    unknown: str = ""


@dataclass
class Discovery:
    """Discovered files in order. Iterating yields the sources.

    ``figures`` are pictures beside pages: they become components of pages that show them, or documents if none does.
    """

    sources: list[Source] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    figures: list[Source] = field(default_factory=list)

    def __iter__(self) -> Iterator[Source]:
        return iter(self.sources)

    def add(self, other: Discovery) -> None:
        """Append another discovery."""
        self.sources += other.sources
        self.skipped += other.skipped
        self.figures += other.figures


def discover(paths: Sequence[Path]) -> Discovery:
    """Find the sources in files and folders, in sorted order.

    Hidden files, lock files of office programs, and links that leave their folder are skipped. A folder with
    ``documents.jsonl`` and ``components.jsonl`` (or ``.gz``) is a corpus bundle. Pictures in or below a folder with
    pages are figures of these pages; elsewhere, or given directly, they are documents. Files that only describe a
    picture are not sources.

    Raises:
        NoSuchPath: a path does not exist.
        DuplicateDocument: two files would have the same id.
        NothingToIngest: nothing can be read.
    """
    found = Discovery()
    for path in paths:
        if path.is_dir():
            _search(path, found)
        elif path.exists() and not path.is_file():  # reading a pipe would block
            found.skipped.append(Skipped(path, "not a regular file"))
        elif not _is_text(path):
            found.skipped.append(Skipped(path, _NO_TEXT))
        elif path.exists():
            _add_file(path, path.name, path.parent, found)
        else:
            raise NoSuchPath(f"{path} does not exist. Check the spelling, or give the folder of your files.")
    found.sources = _without_collisions(found.sources)
    if not found.sources:
        raise NothingToIngest(_nothing(paths, found.skipped))
    return found


def is_bundle(folder: Path) -> bool:
    """Return whether a folder is a corpus bundle."""
    return all(bundle_file(folder, name) is not None for name in ("documents", "components"))


def bundle_file(folder: Path, name: str) -> Path | None:
    """Return a bundle's file, plain (preferred) or compressed; None if missing."""
    candidates = (folder / f"{name}.jsonl", folder / f"{name}.jsonl.gz")
    return next((path for path in candidates if os.path.isfile(path)), None)


def _search(top: Path, found: Discovery) -> None:
    with_pages: set[Path] = set()
    site_map, own = SiteMap(top), home().resolve()

    def unreadable(error: OSError) -> None:
        found.skipped.append(Skipped(Path(error.filename or top), f"cannot be opened: {error.strerror}"))

    for folder, folders, files in _walk(top, unreadable):
        if not _is_text(folder):
            found.skipped.append(Skipped(folder, _NO_TEXT))
            folders.clear()
            continue
        if is_bundle(folder):
            label = folder.relative_to(top).as_posix() if folder != top else folder.resolve().name
            found.sources.append(Source("bundle", folder, label, folder))
            folders.clear()
            continue
        folders[:] = sorted(n for n in folders if not n.startswith(".") and not os.path.islink(folder / n))
        if own.name in folders and (folder / own.name).resolve() == own:
            folders.remove(own.name)
            found.skipped.append(Skipped(folder / own.name, "Backtrail's own home with its corpora"))
        visible = sorted(file for file in files if not file.startswith(_IGNORED))
        pictures = {file for file in visible if kind_of(Path(file)) == "image"}
        if pictures:
            visible = [file for file in visible if not _describes(folder / file, pictures)]
        if folder.parent in with_pages or any(kind_of(Path(file)) in PAGES for file in visible):
            with_pages.add(folder)
        for file in visible:
            _consider(folder / file, site_map, folder in with_pages, found)
    if site_map.sites or site_map.refused:  # ``sites`` reads the configurations
        found.skipped += [Skipped(path, limit) for path, limit in site_map.refused.items()]


def _walk(top: Path, unreadable: Callable[[OSError], None]) -> Iterator[tuple[Path, list[str], list[str]]]:
    """Walk a folder like ``os.walk``, which fails on a thousand nested folders before Python 3.12."""
    pending = [top]
    while pending:
        folder = pending.pop()
        folders: list[str] = []
        files: list[str] = []
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    (folders if _is_folder(entry) else files).append(entry.name)
        except OSError as error:
            unreadable(error)
            continue
        yield folder, folders, files
        pending += [folder / name for name in reversed(folders)]


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link to itself
        return False


def _consider(path: Path, site_map: SiteMap, beside_pages: bool, found: Discovery) -> None:
    """Classify one file of a folder."""
    top = site_map.root
    name = path.relative_to(top).as_posix()
    if not _is_text(path):
        found.skipped.append(Skipped(path, _NO_TEXT))
    elif os.path.islink(path) and not _leads_within(path, top):
        found.skipped.append(Skipped(path, "a link that leaves the folder"))
    elif not os.path.isfile(path):
        known = os.path.lexists(path)
        found.skipped.append(Skipped(path, "not a regular file" if known else "its folder cannot be entered"))
    elif beside_pages and kind_of(path) == "image":
        found.figures.append(Source("image", path, name, top, site_map))
        site_map.add_file(name, path)
    elif kind_of(path) == "html" and not _TEMPLATES.isdisjoint(name.split("/")[:-1]):
        found.skipped.append(Skipped(path, "a template of the site, not a page"))
        site_map.add_file(name, path)
    elif kind_of(path) is None and is_configuration(path.name):
        site_map.add_file(name, path)
    elif not (beside_pages and _is_asset(path)):
        _add_file(path, name, top, found, site_map)
    else:
        site_map.add_file(name, path)


def _leads_within(link: Path, top: Path) -> bool:
    """Return whether a link stays in the folder, as does a link to itself, which is skipped later."""
    try:
        return link.resolve().is_relative_to(top.resolve())
    except (OSError, RuntimeError):  # before Python 3.13 a loop is a RuntimeError
        return True


def _add_file(path: Path, document_id: str, root: Path, found: Discovery, site_map: SiteMap | None = None) -> None:
    kind = kind_of(path)
    if site_map and kind is None:
        site_map.add_file(document_id, path)
    if kind is None:
        unknown = path.suffix.lower() or "without an extension"
        found.skipped.append(Skipped(path, why_not_read(path), unknown))
    else:
        found.sources.append(Source(kind, path, document_id, root, site_map))
        if site_map:
            site_map.add_document(document_id, path)


def _describes(path: Path, pictures: set[str]) -> bool:
    """Return whether a file only describes a picture beside it."""
    try:
        return describes_a_picture(path.name, path.stat().st_size, pictures)
    except OSError:
        return False


def _is_asset(path: Path) -> bool:
    return path.suffix.lower() in _ASSETS or path.name.lower() in _FOR_CRAWLERS


def _is_text(path: Path) -> bool:
    try:
        str(path).encode()
    except UnicodeEncodeError:
        return False
    return True


def _without_collisions(sources: list[Source]) -> list[Source]:
    """Remove repeated files; raise DuplicateDocument if different files share an id."""
    first: dict[str, Source] = {}
    for source in sources:
        other = first.setdefault(source.document_id, source)
        if other is not source and other.path.resolve() != source.path.resolve():
            raise DuplicateDocument(
                f"{other.path} and {source.path} would both be the document {source.document_id!r}. "
                "Give the folder above both, or rename one."
            )
    return list(first.values())


def _nothing(paths: Sequence[Path], skipped: list[Skipped]) -> str:
    given = ", ".join(str(path) for path in paths) or "no path"
    reasons = "".join(f"\n  {part.path}: {part.reason}" for part in skipped[:5])
    return f"Nothing to ingest in {given}. Supported are: {supported()}, corpus bundles.{reasons}"
