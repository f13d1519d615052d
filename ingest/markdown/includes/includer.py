"""Reader of the files that one page includes: only ingested ones, within bounds, without cycles."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from contextlib import suppress

from backtrail.ingest.html.source import decode
from backtrail.ingest.markdown.page import Page
from backtrail.ingest.parse_cache.trace_dependencies import record_file
from backtrail.ingest.sites.front_matter import without_front_matter
from backtrail.ingest.sites.page_keys import PAGE_SUFFIXES, ancestors

MOST_FILES = 500
MOST_CHARACTERS = 4_000_000
DEEPEST = 10
"""Bounds of what one page can include (ours): pages of collected examples include some dozens."""

_PAGES = PAGE_SUFFIXES | {".txt", ""}
_ALIAS = re.compile(r"^(?:@site|@|~)/")


class Includer:
    """Included files of one page; refused ones are counted in the page's ``left_out``.

    ``imported`` maps names of MDX components to the pages that they import.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.imported: dict[str, str] = {}
        self._open: list[str] = [page.document_id]
        self._files = 0
        self._characters = 0

    def find(self, name: str) -> str | None:
        """Return the ingested file of a name: beside the including file or in a folder above; else None."""
        name = name.strip().strip("\"'")
        plain = _ALIAS.sub("/", name)
        for folder in (*ancestors(self._open[-1]), *ancestors(self.page.document_id)):
            path = posixpath.normpath(posixpath.join(folder, plain.lstrip("/")))
            if self.page.site_map.path_of(path) is not None:
                return path
        return None

    def shown(self, kind: str, name: str, expand: Callable[[str, Includer], str], *, as_it_is: bool = False) -> str:
        """Return the text of a file, expanded if it is a page, else fenced; "" if it is refused."""
        read = self._read(kind, name)
        if read is None or as_it_is:
            return read[1] if read else ""
        path, text = read
        if posixpath.splitext(path.lower())[1] not in _PAGES:
            return _fenced(text)
        self._open.append(path)
        text = expand(without_front_matter(text), self)
        self._open.pop()
        return text

    def _read(self, kind: str, name: str) -> tuple[str, str] | None:
        """Return the file's id and text; None if it does not exist or exceeds a bound."""
        found = self.find(name)
        path = self.page.site_map.path_of(found) if found else None
        text = None
        if found and path and found not in self._open and len(self._open) <= DEEPEST:
            record_file(path)
            with suppress(OSError):  # counted below
                if self._files < MOST_FILES and self._characters + path.stat().st_size <= MOST_CHARACTERS:
                    text = decode(path.read_bytes())
        if found is None or text is None:
            self.page.leave_out(kind, name)
            return None
        self._files += 1
        self._characters += len(text)
        return found, text


def _fenced(code: str) -> str:
    longest = max((len(run) for run in re.findall(r"`{3,}", code)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}\n{code.strip(chr(10))}\n{fence}"
