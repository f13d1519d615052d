"""Shares of a reference that ingestion reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from rapidfuzz.distance import LCSseq, Levenshtein

from backtrail.ingest.discover import Source
from backtrail.ingest.kinds import kind_of
from backtrail.ingest.parse import parse
from backtrail.ingest.parsed import ParsedDocument
from backtrail.state.component import Component
from real_files.references import Reference, words_of

MEASURES = ("words", "repeated or invented", "order", "edits", "cells", "captions", "links", "headings", "pictures")
Shares = dict[str, float | None]


def read(path: Path) -> list[ParsedDocument]:
    """Parse a file as an ingest does; no documents if it is refused."""
    kind = kind_of(path)
    assert kind is not None, path
    found = list(parse(Source(kind, path, path.name, path.parent)))
    return [one for one in found if isinstance(one, ParsedDocument)]


def shares(meant: Reference, documents: Sequence[ParsedDocument]) -> Shares:
    """Return the shares of the reference that were read; None where the reference has nothing.

    Words count with their frequency. Order is the longest common subsequence with the reference, over common words;
    edits is one minus the edit distance of the same. A cell counts with the name of its column if the reference has
    one; a caption if a table or picture has its first eight words; a heading as a section, title or text; pictures by
    their number.
    """
    parts = [part for document in documents for part in document.components]
    read_words = [word for document in documents for word in words_of(_said(document))]
    wanted, held = Counter(meant.words), Counter(read_words)
    both = wanted & held
    found: Shares = {"words": _share(both.total(), wanted.total()), "repeated or invented": _share(
        held.total() - both.total(), held.total())}  # fmt: skip
    found["order"] = _share(LCSseq.similarity(_kept(meant.words, both), _kept(read_words, both)), both.total())
    found["edits"] = (
        Levenshtein.normalized_similarity(_kept(meant.words, both), _kept(read_words, both)) if both else None
    )
    found["cells"] = _cells(meant, documents)
    named = [words for part in parts if (words := f" {_flat(_caption(part))} ").strip()]
    found["captions"] = _of(meant.captions, lambda caption: any(f" {_start(caption)} " in one for one in named))
    links = {link.target.rstrip("/") for part in parts for link in part.links}
    pages = {link.partition("#")[0] for link in links}
    found["links"] = _of(meant.links, lambda link: link.rstrip("/").partition("#")[0] in pages)
    places = {_flat(name) for document in documents for name in (document.document.title, *(
        step for part in document.components for step in part.section.split(" > ")))}  # fmt: skip
    texts = " ".join(_flat(part.text or "") for document in documents for part in document.components)
    found["headings"] = _of(
        meant.headings, lambda name: not _flat(name) or _flat(name) in places or _flat(name) in texts
    )
    stored = {part.image.blob for document in documents for part in document.components if part.image}
    found["pictures"] = _share(min(len(stored), meant.pictures), meant.pictures) if meant.pictures else None
    return found


def _said(document: ParsedDocument) -> str:
    """Return all text in reading order, with a heading where its section begins."""
    texts: list[str] = [document.document.title]
    section: list[str] = []
    for part in document.components:
        steps = part.section.split(" > ")
        if steps != section:
            common = next((n for n, (a, b) in enumerate(zip(steps, section, strict=False)) if a != b),
                          min(len(steps), len(section)))  # fmt: skip
            texts += [step for step in steps[common:] if step not in texts[-1:]]
            section = steps
        if part.table is not None:
            texts += [part.table.caption, *part.table.header, *(cell for row in part.table.rows for cell in row)]
        elif part.image is not None:
            texts += [part.image.caption, part.image.alt]
        else:
            texts.append(part.text or "")
    return " \n".join(texts)


def _cells(meant: Reference, documents: Sequence[ParsedDocument]) -> float | None:
    if not meant.cells:
        return None
    tables = [part.table for document in documents for part in document.components if part.table]
    named = Counter(
        (_flat(name), _flat(cell)) for table in tables for row in (table.header, *table.rows)
        for name, cell in zip(table.header, row, strict=True))  # fmt: skip
    parts = [part for document in documents for part in document.components]
    lines = (line for part in parts for line in (*(part.text or "").split("\n"), part.section, _caption(part)))
    texts = Counter(map(_flat, lines))
    plain = Counter(cell for (_, cell), count in named.items() for _ in range(count)) + texts
    wanted = Counter((_flat(name), _flat(cell)) for name, cell in meant.cells)
    right = sum(min(count, named[name, cell] if name else plain[cell]) for (name, cell), count in wanted.items())
    return _share(right, wanted.total())


def _caption(part: Component) -> str:
    return part.table.caption if part.table else part.image.caption if part.image else ""


def _start(caption: str) -> str:
    return " ".join(words_of(caption)[:8])


def _kept(words: Sequence[str], both: Counter[str]) -> list[str]:
    left = both.copy()
    kept: list[str] = []
    for word in words:
        if left[word] > 0:
            left[word] -= 1
            kept.append(word)
    return kept


def _flat(text: str) -> str:
    return " ".join(words_of(text))


def _of(meant: Sequence[str] | None, held: Callable[[str], bool]) -> float | None:
    return _share(sum(map(held, meant)), len(meant)) if meant else None


def _share(part: float, whole: float) -> float | None:
    return part / whole if whole else None
