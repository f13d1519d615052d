"""Gold: the components of a corpus that hold the evidence of a question. Cached per corpus version.

A component matches a quote when it contains it (``backtrail.evals.visible_text``), a picture when it shows that file
or is a picture of that page or slide, and a page when it is on it. Evidence that no component holds was lost by
ingestion: its group of gold is empty, so that no ranking can find it.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from backtrail.evals.questions import Evidence, Question
from backtrail.evals.visible_text import holds
from backtrail.state.component import Component, Document
from backtrail.tools.atomic_file import write_atomically
from backtrail.tools.corpus.file_documents import with_sections
from backtrail.tools.corpus.protocol import CorpusReader
from backtrail.tools.home import cache_folder

RULES = 4
"""Version of the matching rules. Raise it when other components match the same evidence: cached gold is recomputed."""
_PAGE = re.compile(r"(?:page|slide|sheet)\s+(\d+)\b", re.I)
_NAMED = re.compile(r"[\"“]([^\"“”]+)[\"”]")


def with_gold(questions: Sequence[Question], corpus: CorpusReader) -> list[Question]:
    """Return the questions with the gold components of their evidence in this version of the corpus."""
    pieces = list(dict.fromkeys(piece for question in questions for piece in question.evidence))
    if not pieces:
        return list(questions)
    kept = _kept_file(corpus, pieces)
    found = _read(kept)
    if found is None:
        found = [list(group) for group in find_components(corpus, pieces)]
        _keep(kept, found)
    group = {piece: tuple(ids) for piece, ids in zip(pieces, found, strict=True)}
    return [
        question.model_copy(update={"gold": tuple(group[piece] for piece in question.evidence)})
        if question.evidence
        else question
        for question in questions
    ]


def find_components(corpus: CorpusReader, pieces: Sequence[Evidence]) -> list[tuple[str, ...]]:
    """Return for each piece the ids of the components that hold it, in reading order; may be empty."""
    documents = corpus.documents(dict.fromkeys(piece.document for piece in pieces))
    found: dict[Evidence, tuple[str, ...]] = {}
    for id_, document in documents.items():
        children = corpus.children(with_sections(id_, corpus))
        components = [one for ids in children.values() for one in corpus.components(ids).values()]
        for piece in pieces:
            if piece.document == id_:
                found[piece] = tuple(component.id for component in _holders(piece, document, components))
    return [found.get(piece, ()) for piece in pieces]


def _holders(piece: Evidence, document: Document, components: Sequence[Component]) -> list[Component]:
    if piece.quote is not None:
        return [component for component in components if holds(piece.quote, _texts(component), _rows(component))]
    if piece.page is not None:
        return _there(piece.page, components) or _continued(piece.page, components)
    return _showing(piece.picture or "", document, components)


def _texts(component: Component) -> Iterator[str]:
    """Yield all texts of a component except its table rows."""
    if component.text is not None:
        yield component.text
    if component.table is not None:
        yield component.table.caption
    if component.image is not None:
        image = component.image
        yield from (image.title, image.caption, image.alt, image.recognized)


def _rows(component: Component) -> Iterator[Sequence[str]]:
    if component.table is not None:
        yield component.table.header
        yield from component.table.rows


def _showing(picture: str, document: Document, components: Sequence[Component]) -> list[Component]:
    """Return components that show a picture file, or a picture of a page or slide."""
    if page := _PAGE.match(picture):
        return _on_page(int(page.group(1)), picture, components)
    if picture == document.id:
        return list(components)  # the document is the picture itself
    sha256 = _sha256(document, picture)
    return [one for one in components if one.image is not None and sha256 and one.image.blob == sha256]


def _on_page(page: int, picture: str, components: Sequence[Component]) -> list[Component]:
    """Return pictures of the page and components with the name in quotes; else all components of the page."""
    there = _there(page, components)
    names = [name.casefold() for name in _NAMED.findall(picture)]
    shown = [one for one in there if one.image is not None or any(_bears(one, name) for name in names)]
    return shown or there


def _there(page: int, components: Sequence[Component]) -> list[Component]:
    return [one for one in components if page in (one.locator.page, one.locator.slide)]


def _continued(page: int, components: Sequence[Component]) -> list[Component]:
    """Return the table that spans a page on which no component begins: tables over several pages are read as one."""
    before = [one for one in components if one.locator.page is not None and one.locator.page < page]
    last = max(before, key=lambda one: (one.locator.page or 0, one.position), default=None)
    return [last] if last is not None and last.modality == "table" else []


def _bears(component: Component, name: str) -> bool:
    return any(name in text.casefold() for text in (component.section, *_texts(component)))


def _sha256(document: Document, picture: str) -> str | None:
    """Return the hash of a picture file in the document's source folder; None when it is not there."""
    if not document.source.endswith(document.id):
        return None
    folder = Path(document.source.removesuffix(document.id)).resolve()
    file = (folder / picture).resolve()
    return hashlib.sha256(file.read_bytes()).hexdigest() if file.is_relative_to(folder) and file.is_file() else None


def _kept_file(corpus: CorpusReader, pieces: Sequence[Evidence]) -> Path:
    key = json.dumps([RULES, corpus.name, corpus.version, [piece.model_dump() for piece in pieces]])
    return cache_folder() / "gold" / f"{hashlib.sha256(key.encode()).hexdigest()[:24]}.json"


def _read(file: Path) -> list[list[str]] | None:
    """Return cached gold; None when there is none, or the file is damaged and will be written again."""
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def _keep(file: Path, found: Sequence[Sequence[str]]) -> None:
    write_atomically(file, json.dumps(found))
