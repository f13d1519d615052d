"""Reads the files that one page includes: among those found in the ingested folder, few, small and in no circle."""

from __future__ import annotations

import posixpath
import re

from backtrail.ingest.html.source import decode
from backtrail.ingest.markdown.includes.selection import Selection, select
from backtrail.ingest.markdown.page import Page
from backtrail.ingest.sites.front_matter import without_front_matter
from backtrail.ingest.sites.page_keys import PAGE_SUFFIXES
from backtrail.ingest.unchanged.tracing import look_at

MOST_FILES = 500
MOST_CHARACTERS = 4_000_000
DEEPEST = 10
"""Bounds of what one page can include (ours): pages that gather examples include some dozens."""

_ALIAS = re.compile(r"^(?:@site|@|~)/")
_LANGUAGES = {"py": "python", "rs": "rust", "yml": "yaml", "sh": "bash", "h": "c", "htm": "html"}


class Includer:
    """What one page may still include. ``read`` notes what it refuses in the page's ``left_out``."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.open: list[str] = [page.document_id]
        self._files = 0
        self._characters = 0

    @property
    def current(self) -> str:
        """The file whose text is being expanded."""
        return self.open[-1]

    def find(self, name: str) -> str | None:
        """The ingested file of a name as it is written: beside the including file, or under the site's bases."""
        name = name.strip().strip("\"'")
        site = self.page.site
        plain = _ALIAS.sub("/", name)
        places = [posixpath.dirname(self.current)] if plain == name and not name.startswith("/") else []
        bases = [*site.snippets, *site.content, site.folder, posixpath.dirname(self.page.document_id), ""]
        for place in [*places, *bases]:
            path = posixpath.normpath(posixpath.join(place, plain.lstrip("/")))
            if self.page.site_map.path_of(path) is not None:
                return path
        return None

    def read(self, kind: str, name: str, selection: Selection | None = None) -> tuple[str, str] | None:
        """The file's id and the selected part of its text; None if it is not there, or more than a page may have."""
        found = self.find(name)
        path = self.page.site_map.path_of(found) if found else None
        if found is None or path is None or found in self.open or len(self.open) > DEEPEST:
            self.page.leave_out(kind, name)
            return None
        look_at(path)
        try:
            allowed = self._files < MOST_FILES and self._characters + path.stat().st_size <= MOST_CHARACTERS
            text = decode(path.read_bytes()) if allowed else None
        except OSError:
            text = None
        part = select(text, selection or Selection()) if text is not None else None
        if part is None:
            self.page.leave_out(kind, name)
            return None
        self._files += 1
        self._characters += len(part)
        return found, part


def is_page(path: str) -> bool:
    """Whether an included file is text to be read as part of the page."""
    return posixpath.splitext(path.lower())[1] in PAGE_SUFFIXES | {".txt", ""}


def body(text: str) -> str:
    """An included page without its front matter."""
    return without_front_matter(text)


def fenced(path: str, code: str) -> str:
    """Included code as a fenced block."""
    longest = max((len(run) for run in re.findall(r"`{3,}", code)), default=2)
    fence = "`" * (longest + 1)
    suffix = posixpath.splitext(path)[1].lstrip(".").lower()
    return f"{fence}{_LANGUAGES.get(suffix, suffix)}\n{code.strip(chr(10))}\n{fence}"
