"""Digests of sources, installed packages and documents, which decide what is measured again."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from hashlib import blake2b
from importlib.metadata import distributions, version
from pathlib import Path

import backtrail.tools.corpus
import backtrail.tools.embedders
import backtrail.tools.ocr
from backtrail.ingest.parse_cache.parser_digest import parsers

ROOT = Path(__file__).resolve().parents[2]
_STORES = (backtrail.tools.corpus, backtrail.tools.embedders, backtrail.tools.ocr)
_STORE_LIBRARIES = ("bm25s", "chromadb", "numpy", "onnxruntime", "PyStemmer", "sqlalchemy", "tokenizers")


@cache
def code() -> str:
    """Return a digest of product sources and installed packages; outcomes of other code are not reused."""
    packages = sorted({f"{one.metadata['Name']} {one.version}" for one in distributions()})
    return _digest([digest_of_files(sorted((ROOT / "src" / "backtrail").iterdir())), *packages])


@cache
def ingestion() -> str:
    """Return a digest of parsers, embedders and stores with libraries; corpora of others are not reused."""
    rooms = [Path(room.__path__[0]) for room in _STORES]
    return _digest([parsers(), digest_of_files(rooms), *(f"{name} {version(name)}" for name in _STORE_LIBRARIES)])


def digest_of_files(folders: Iterable[Path]) -> str:
    """Return a digest of the names and contents of all files below the folders."""
    parts: list[str] = []
    for folder in folders:
        for file in sorted(path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts):
            parts += [f"{folder.name}/{file.relative_to(folder)}", blake2b(file.read_bytes()).hexdigest()]
    return _digest(parts)


def _digest(parts: Iterable[str]) -> str:
    return blake2b("\n".join(parts).encode(), digest_size=8).hexdigest()
