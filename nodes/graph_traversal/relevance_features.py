"""Relevance features of components for a text, alone and as ends of a path.

Every decider gets them. Coverage is lexical and shows which constraints are met; similarity is the
embedder's and finds paraphrases.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from backtrail.nodes.graph_traversal.coverage import Covering
from backtrail.state.component import Component
from backtrail.state.path import Path
from backtrail.tools.corpus.protocol import CorpusReader


@dataclass(frozen=True)
class Measured:
    """A component's fit: similarity in [-1, 1], coverages and context in [0, 1], linked documents.

    ``context`` is the fit of its section and document: 0 for a picture with only a title, None without lexical search.
    """

    similarity: float
    coverage: float
    path_coverage: float
    links: int
    context: float | None = None


def is_bare(component: Component) -> bool:
    """Return whether a component is a picture with no text but its title."""
    picture = component.image
    return picture is not None and not (picture.caption or picture.alt or picture.recognized or picture.objects)


class Measure:
    """Fit of components to one text, with ``words`` of their sections too.

    Reads the corpus (blocking); make one per node run.
    """

    def __init__(self, corpus: CorpusReader, text: str, *, words: bool = False) -> None:
        self.covering = Covering(corpus, text)
        self._text, self.words = text, words
        self._corpus = corpus
        self._query = corpus.embed([text])[0]

    def components(
        self, components: Mapping[str, Component], parents: Mapping[str, tuple[Component, Path]] | None = None
    ) -> dict[str, Measured]:
        """Return measures by component id; ``parents`` has the linking component and path of linked ones."""
        self.covering.learn_titles(component.document for component in components.values())
        ids = list(components)
        self.covering.learn_wholes(id_ for id_, component in components.items() if component.table is None)
        similarities = dict(zip(ids, self.similarities(ids), strict=True))
        links = self._corpus.links(ids)
        contexts = self._corpus.contexts(self._text, ids) if self.words else {}
        contexts |= {key: 0.0 for key in contexts if is_bare(components[key])}
        measured: dict[str, Measured] = {}
        for key, component in components.items():
            alone = self.covering.alone(component)
            along = alone
            if parents and key in parents:
                parent, path = parents[key]
                along = max(alone, self.covering.along(parent, path, component))
            targets = {link.target for link in links.get(key, []) if link.kind != "name"}
            measured[key] = Measured(similarities[key], alone, along, len(targets), contexts.get(key))
        return measured

    def similarities(self, ids: list[str]) -> list[float]:
        """Return the similarity of each component, by its own vector or its nearest sentence or row."""
        if not ids:
            return []
        pieces = self._corpus.best_subcomponents(self._query, ids)
        own = self._corpus.vectors(ids, "component") @ self._query
        return [max(float(value), pieces.get(id_, ("", -1.0))[1]) for id_, value in zip(ids, own, strict=True)]
