"""Mentions: unlinked edges from a component to documents that contain a name it contains.

A global hop from an anchor for a name that the anchor mentions reads its results together with the
sentence that mentions it, as a local hop does with a link (ours).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection

from backtrail.language.current_language import reading_in
from backtrail.language.identify import language_of
from backtrail.language.terms import content_terms
from backtrail.language.unknown_names import names_beyond, unmet_words
from backtrail.nodes.graph_traversal.fuse_rankings import lexical_documents
from backtrail.nodes.graph_traversal.link_context import piece_text
from backtrail.nodes.graph_traversal.paths import path_scores
from backtrail.state.component import Component
from backtrail.state.hop import Route, Scored
from backtrail.state.path import Path
from backtrail.tools.corpus.protocol import CorpusReader

# Documents per name, from dense and from lexical search each.
LOOKED_AT = 10
_WORDS = re.compile(r"[\w’'-]+")


def pursued(route: Route, question: str) -> list[str]:
    """Return the names that a global hop from an anchor adds to the question; else an empty list."""
    if route["strategy"]["scope"] == "local" or not route["anchors"]:
        return []
    with reading_in(language_of(question)):
        return names_beyond(route["subquery"], question)


def mentioned_documents(
    corpus: CorpusReader, route: Route, names: list[str], keep: int
) -> tuple[list[Scored], dict[str, Path]]:
    """Return the best documents with a name that the anchors mention, and the mention that leads to each."""
    with reading_in(corpus.language(route["subquery"])):
        paths = _mention_paths(corpus, route, names)
    scores = path_scores(corpus, route["subquery"], route["strategy"]["granularity"], paths)
    best = sorted(scores, key=lambda document: (-scores[document].score, document))[:keep]
    return (
        [{"id": document, "score": scores[document].score} for document in best],
        {document: scores[document].path for document in best},
    )


def _mention_paths(corpus: CorpusReader, route: Route, names: list[str]) -> dict[str, list[Path]]:
    paths: dict[str, list[Path]] = defaultdict(list)
    for component, name in _mentions(corpus, route["anchors"], names):
        path: Path = {"parent": component.id, "row": _row(component, name), "anchor": name, "mention": True}
        sought = f"{name} {unmet_words(route['subquery'], content_terms(f'{name} {piece_text(component, path)}'))}"
        for document in _saying(corpus, name, sought):
            if document not in route["anchors"]:
                paths[document].append(path)
    return dict(paths)


def sought_text(corpus: CorpusReader, route: Route, names: list[str]) -> str:
    """Return the rest of the subtask: without what the mentioning sentences settle."""
    with reading_in(corpus.language(route["subquery"])):
        settled: set[str] = set()
        for component, name in _mentions(corpus, route["anchors"], names):
            path: Path = {"parent": component.id, "row": _row(component, name), "anchor": name, "mention": True}
            settled |= content_terms(piece_text(component, path))
        kept = settled - content_terms(" ".join(names))
        return unmet_words(route["subquery"], kept) or route["subquery"]


def _mentions(corpus: CorpusReader, anchors: Collection[str], names: list[str]) -> list[tuple[Component, str]]:
    """Return the components of the anchors that contain a name."""
    children = corpus.children(anchors)
    components = corpus.components([component for members in children.values() for component in members])
    written = [(component, _written(component)) for component in components.values()]
    return [(component, name) for component, text in written for name in names if name in text]


def _row(component: Component, name: str) -> int | None:
    """Return the first table row with the name; None if it is elsewhere."""
    rows = component.table.rows if component.table is not None else ()
    return next((number for number, row in enumerate(rows) if any(name in cell for cell in row)), None)


def _saying(corpus: CorpusReader, name: str, sought: str) -> list[str]:
    """Return documents near to the searched text that contain the name."""
    by_vector = corpus.search_documents(corpus.embed([sought])[0], "component", LOOKED_AT)
    by_words = lexical_documents(corpus, sought, "component", LOOKED_AT)
    found = list(dict.fromkeys(scored["id"] for scored in [*by_vector, *by_words]))
    terms, wanted = corpus.document_terms(found), content_terms(name)
    likely = [document for document in found if wanted <= terms.get(document, frozenset())]
    titles = corpus.documents(likely)
    children = corpus.children(likely)
    components = corpus.components([component for members in children.values() for component in members])
    return [
        document
        for document in likely
        if any(says(titles[document].title, components[key], name) for key in children[document] if key in components)
    ]


def says(title: str, component: Component, name: str) -> bool:
    """Return whether a component or its title contains the name itself, not only its words."""
    wanted = f" {name.casefold()} "
    return any(wanted in f" {' '.join(_WORDS.findall(text.casefold()))} " for text in (title, _written(component)))


def _written(component: Component) -> str:
    if component.table is not None:
        return " ".join(
            [component.table.caption, *component.table.header, *(c for row in component.table.rows for c in row)]
        )
    if component.image is not None:
        return f"{component.image.title} {component.image.caption} {component.image.alt}"
    return component.text or ""
