"""Find pictures that a release names by path or URL in the release, or download them on request.

A picture that is not found or cannot be opened leaves its question without one: the tag ``picture`` of the question
says so (kept, missing, none), and ``missing.jsonl`` of the bundle says why.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from backtrail.evals.formats.bundle_writer import BundleWriter
from backtrail.ingest.errors import UnreadableSource
from backtrail.ingest.images import check_picture
from backtrail.tools.web.errors import Unfetched
from backtrail.tools.web.fetching.download_pictures import download_pictures

NOT_DOWNLOADED = "the release gives only its URL; add --download, or put the file under images/"


class QuestionPictures:
    """Pictures of a release.

    Args:
        source: the unpacked release; a path may not leave it.
        folders: folders in it that paths may be relative to, in order of search.
        named: every path and URL that questions name, for parallel downloads, and so that the last part of a URL is
            taken for a file name only where no other URL ends in the same.
        download: whether URLs may be fetched, with the guards of web search.
    """

    def __init__(self, source: Path, folders: Sequence[str], named: Iterable[str], *, download: bool) -> None:
        self._source = source.resolve()
        self._folders = [self._source / folder for folder in folders]
        urls = list(dict.fromkeys(name for name in named if is_url(name)))
        self._endings = Counter(_last_part(url) for url in urls)
        lacking = [url for url in urls if self._local(url) is None]
        self._placed: dict[Path, str] = {}
        self._downloaded = asyncio.run(download_pictures(lacking)) if download and lacking else {}

    def place(self, writer: BundleWriter, question: str, *names: str) -> tuple[str | None, str]:
        """Write the first usable picture of those that a question names.

        Returns:
            Its path in the bundle or None, and the value of the tag ``picture``.
        """
        present = [name for name in names if name]
        if not present:
            return None, "none"
        problem = ""
        for name in present:
            found = self._find(name)
            if isinstance(found, Path) and found in self._placed:
                return self._placed[found], "kept"
            problem = found if isinstance(found, str) else _unreadable(found, name)
            if isinstance(found, Path) and not problem and (placed := writer.question_picture(found)):
                self._placed[found] = placed
                return placed, "kept"
        writer.missing({"question": question, "picture": present[0], "why": problem})
        return writer.question_picture(None), "missing"

    def _find(self, name: str) -> Path | str:
        local = self._local(name)
        if local is not None:
            return local
        if not is_url(name):
            return "there is no such file in the release"
        found = self._downloaded.get(name, NOT_DOWNLOADED)
        return str(found) if isinstance(found, Unfetched) else found

    def _local(self, name: str) -> Path | None:
        """Find a file of the release: of a URL by its path, with or without host, or its last part if unique."""
        parts = [name]
        if is_url(name):
            split = urlsplit(name)
            path = unquote(split.path).lstrip("/")
            last = [_last_part(name)] if self._endings[_last_part(name)] == 1 else []
            parts = [f"{split.netloc}/{path}", path, *last]
        for folder in (*self._folders, self._source):
            for part in filter(None, parts):
                file = (folder / part).resolve()
                if file.is_relative_to(self._source) and file.is_file():
                    return file
        return None


def is_url(name: str) -> bool:
    """Return whether the name of a picture is a URL."""
    return name.lower().startswith(("http://", "https://"))


def texts(values: Any) -> list[str]:
    """Return answers as text, each once: releases contain numbers and repeats."""
    listed = values if isinstance(values, list) else [values]
    return list(dict.fromkeys(text for value in listed if value is not None and (text := str(value).strip())))


def _last_part(url: str) -> str:
    return unquote(urlsplit(url).path).rpartition("/")[2]


def _unreadable(file: Path, name: str) -> str:
    """Return why a file cannot be a question's picture, else ""."""
    try:
        check_picture(file, name)
    except (UnreadableSource, OSError) as error:
        return str(error)
    return ""
