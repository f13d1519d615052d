"""Select pages of a corpus bundle, and format them for both systems."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Page:
    """A document of the bundle with its components, as in the bundle's lines."""

    document: dict[str, Any]
    components: list[dict[str, Any]]

    @property
    def id(self) -> str:
        """Id of the document."""
        return self.document["id"]

    @property
    def title(self) -> str:
        """Title of the document."""
        return self.document["title"]


@dataclass(frozen=True)
class Chosen:
    """Selected pages: ``first`` are indexed, ``added`` later, ``deleted`` (of the first) removed."""

    first: list[Page]
    added: list[Page]
    deleted: list[Page]
    questions: list[dict[str, Any]]

    @property
    def all(self) -> list[Page]:
        """All pages that are indexed at some time."""
        return [*self.first, *self.added]

    @property
    def left(self) -> list[Page]:
        """Pages that remain at the end."""
        deleted = {page.id for page in self.deleted}
        return [page for page in self.all if page.id not in deleted]


def choose(bundle: Path, pages: int, changed: int, questions: int, *, only_tables: bool = False) -> Chosen:
    """Select questions with a gold page for each hop, and other pages, by the hashes of their ids.

    Args:
        changed: number of pages to add, and to delete.
        only_tables: select only pages with a table, apart from gold pages.
    """
    by_id = {page.id: page for page in _with_words(bundle)}
    ranked = sorted(by_id.values(), key=lambda page: _hash(page.id))
    if only_tables:
        ranked = [page for page in ranked if any(one["modality"] == "table" for one in page.components)]
    place = {one["id"]: page.id for page in by_id.values() for one in page.components}
    asked: list[dict[str, Any]] = []
    gold: dict[str, None] = {}
    lines = (bundle / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    for question in sorted(map(json.loads, lines), key=lambda question: _hash(question["id"])):
        needed = [[place[one] for one in group if one in place] for group in question["gold"]]
        if len(asked) < questions and all(needed):
            asked.append(question)
            gold.update((group[0], None) for group in needed)
    others = [page for page in ranked if page.id not in gold]
    fill = pages - len(gold)
    first = sorted([*(by_id[id_] for id_ in gold), *others[:fill]], key=lambda page: _hash(page.id))
    return Chosen(first, others[fill : fill + changed], others[:changed], asked)


def write_bundle(folder: Path, pages: Sequence[Page]) -> None:
    """Write pages as a corpus bundle, replacing the contents of the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    files = {
        "documents.jsonl": [page.document for page in pages],
        "components.jsonl": [one for page in pages for one in page.components],
    }
    for name, rows in files.items():
        (folder / name).write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows), "utf-8")


@dataclass(frozen=True)
class Line:
    """A line of a page's text; ``row`` is its number if it is a table row."""

    text: str
    component: dict[str, Any] | None = None
    row: int | None = None


def lines(page: Page) -> Iterator[Line]:
    """Yield the lines of a page as Markdown, by component."""
    yield Line(f"# {page.title}")
    section = ""
    for one in page.components:
        if one["section"] != section:
            section = one["section"]
            yield Line(f"## {section}")
        yield from _component_lines(one)


def as_text(page: Page) -> str:
    """Return the page as text for LightRAG."""
    return "\n".join(line.text for line in lines(page))


def _component_lines(one: dict[str, Any]) -> Iterator[Line]:
    if one["modality"] == "text":
        yield Line(" ".join(one["text"].split()), one)
    elif one["modality"] == "table":
        table = one["table"]
        if table["caption"]:
            yield Line(f"Table: {table['caption']}")
        yield Line(f"| {' | '.join(table['header'])} |")
        yield Line("|---" * len(table["header"]) + "|")
        for number, row in enumerate(table["rows"]):
            yield Line(f"| {' | '.join(row)} |", one, number)
    else:
        image = one["image"]
        texts = dict.fromkeys(image.get(key) or "" for key in ("title", "caption", "alt"))
        yield Line(f"Figure: {'. '.join(text for text in texts if text)}", one)


def _with_words(bundle: Path) -> Iterator[Page]:
    components: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for one in _rows(bundle, "components"):
        components[one["document"]].append({**one, "section": one.get("section") or ""})
    for document in _rows(bundle, "documents"):
        own = sorted(components[document["id"]], key=lambda one: one["position"])
        if any(one["modality"] != "image" for one in own):
            yield Page(document, own)


def _rows(bundle: Path, name: str) -> Iterator[dict[str, Any]]:
    plain, packed = bundle / f"{name}.jsonl", bundle / f"{name}.jsonl.gz"
    with plain.open(encoding="utf-8") if plain.exists() else gzip.open(packed, "rt", encoding="utf-8") as file:
        yield from (json.loads(row) for row in file if row.strip())


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
