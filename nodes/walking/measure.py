"""measure: how well components fit a text, alone and as ends of a path.

The measures go to every decider. Coverage is lexical and says which constraints are met; similarity
is the embedder's and finds what is worded otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from backtrail.language.terms import content_terms, coverage
from backtrail.nodes.walking.paths import piece_text
from backtrail.state.component import Component
from backtrail.state.fif.memory import Path
from backtrail.tools.corpus.protocol import CorpusReader


@dataclass(frozen=True)
class Measured:
    """A component's fit: similarity in [-1, 1], coverages in [0, 1], outgoing internal links."""

    similarity: float
    coverage: float
    path_coverage: float
    links: int


class Measure:
    """Fit of components to one text. Reads the corpus (blocking); make one per node run."""

    def __init__(self, corpus: CorpusReader, text: str) -> None:
        self.corpus = corpus
        self.query = corpus.embed([text])[0]
        self.wanted = content_terms(text)
        self.rarity = corpus.rarity(self.wanted)
        self._titles: dict[str, str] = {}
        self._pieces: dict[tuple[str, int | None, str], frozenset[str]] = {}

    def components(
        self, components: Mapping[str, Component], parents: Mapping[str, tuple[Component, Path]] | None = None
    ) -> dict[str, Measured]:
        """Measures by component id; ``parents`` names the linking component and path of those reached by link."""
        self.learn_titles(component.document for component in components.values())
        ids = list(components)
        similarities = dict(zip(ids, self.similarities(ids), strict=True))
        links = self.corpus.links(ids)
        measured: dict[str, Measured] = {}
        for key, component in components.items():
            alone = self.coverage(component)
            along = alone
            if parents and key in parents:
                parent, path = parents[key]
                along = max(alone, self.path_coverage(parent, path, component))
            measured[key] = Measured(similarities[key], alone, along, len({link.target for link in links.get(key, [])}))
        return measured

    def similarities(self, ids: list[str]) -> list[float]:
        """Similarity of the text with each component's own vector."""
        if not ids:
            return []
        return [float(value) for value in self.corpus.vectors(ids, "component") @ self.query]

    def coverage(self, component: Component) -> float:
        """Coverage by the best piece: a table's best row (with title and caption), else the whole component."""
        if component.table is not None and component.table.rows:
            return max(self.cover(self.piece(component, row)) for row in range(len(component.table.rows)))
        return self.cover(self.whole(component))

    def best_rows(self, component: Component) -> frozenset[int]:
        """The table rows that cover most of the text; none for other components or without any shared term."""
        if component.table is None:
            return frozenset()
        covered = [self.cover(self.piece(component, row)) for row in range(len(component.table.rows))]
        most = max(covered, default=0.0)
        return frozenset(row for row, share in enumerate(covered) if share == most > 0)

    def path_coverage(self, parent: Component, path: Path, component: Component) -> float:
        """Coverage by the linking piece of the parent and the component together."""
        told = self.whole(parent) if path.get("mention") else self.piece(parent, path["row"], path["anchor"])
        return self.cover(told | self.whole(component))

    def cover(self, present: frozenset[str]) -> float:
        """Coverage of the text by a set of terms."""
        return coverage(self.wanted, present, self.rarity)

    def piece(self, component: Component, row: int | None, anchor: str = "") -> frozenset[str]:
        """Terms of a row, or of the sentences that hold an anchor, with the document's title."""
        key = (component.id, row, "" if row is not None else anchor)
        if key not in self._pieces:
            text = piece_text(component, {"parent": component.id, "row": row, "anchor": anchor})
            self._pieces[key] = content_terms(f"{self.title(component)} {text}")
        return self._pieces[key]

    def whole(self, component: Component) -> frozenset[str]:
        """Terms of a component with its document's title."""
        return self.corpus.component_terms([component.id]).get(component.id, frozenset())

    def title(self, component: Component) -> str:
        """Title of the component's document."""
        if component.document not in self._titles:
            self.learn_titles([component.document])
        return self._titles[component.document]

    def learn_titles(self, documents: Iterable[str]) -> None:
        """Read the titles of many documents at once."""
        missing = set(documents) - set(self._titles)
        known = self.corpus.documents(missing) if missing else {}
        self._titles.update({key: known[key].title if key in known else key for key in missing})
