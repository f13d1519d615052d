"""Digest of parser sources and libraries; a change invalidates the cache."""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import backtrail.ingest
import backtrail.language
import backtrail.state
from backtrail.ingest.kinds import installed_parsers
from backtrail.tools import charsets, untrusted_values
from backtrail.tools.corpus import open_picture
from backtrail.tools.ocr import lines
from backtrail.tools.web import bound_attributes
from backtrail.tools.web.crawling import address

_ROOMS = (backtrail.ingest, backtrail.language, backtrail.state)
"""Packages whose sources decide how a file is parsed."""

TOOLS = (address, charsets, bound_attributes, untrusted_values, lines, open_picture)
"""Modules of ``tools`` that parsers use."""

LIBRARIES = (
    "charset-normalizer", "docutils", "lxml", "markdown-it-py", "mdit-py-plugins", "olefile", "pillow",
    "pypdfium2", "python-calamine", "python-oxmsg", "python-pptx", "pyyaml", "resvg-py",
)  # fmt: skip


@lru_cache(maxsize=1)
def parsers() -> str:
    """Return the digest, 32 letters, which depends only on code and libraries, not on the machine."""
    digest = blake2b(digest_size=16)
    for room in _ROOMS:
        top = Path(room.__path__[0])
        for path in sorted(top.rglob("*.py")):
            digest.update(f"{room.__name__}/{path.relative_to(top).as_posix()}\n".encode())
            digest.update(blake2b(path.read_bytes()).digest())
    for tool in TOOLS:
        digest.update(blake2b(Path(str(tool.__file__)).read_bytes()).digest())
    for library in ("backtrail", *LIBRARIES):
        digest.update(f"{library} {_version(library)}\n".encode())
    for parser in installed_parsers().values():
        digest.update(f"{parser.name} {parser.version}\n".encode())
    return digest.hexdigest()


def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return ""
