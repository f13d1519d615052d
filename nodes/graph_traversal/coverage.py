"""Coverage: the share of a text's terms that components contain, alone and along a path.

Coverage is lexical: it shows which constraints are met. Terms are weighted by their rarity in the corpus, and a piece
counts with the title of its document.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from backtrail.language.terms import content_terms, coverage
from backtrail.nodes.graph_traversal.link_context import piece_text
from backtrail.state.component import Component
from backtrail.state.path import Path
from backtrail.tools.corpus.protocol import CorpusReader

_SHORT = 1_000


@lru_cache(maxsize=4096)
def _short_terms(piece: str, language: str) -> frozenset[str]:
    """Return the terms of a row or sentence, cached: a run measures the same tables repeatedly."""
    return content_terms(piece, language)


class Covering:
    """Coverage of one text, in [0, 1].

    Reads the corpus (blocking), each piece once; make one per node run.
    """

    def __init__(self, corpus: CorpusReader, text: str) -> None:
        self.corpus = corpus
        self.text = text
        self.language = corpus.language(text)
        self.wanted = content_terms(text, self.language)
        self.rarity = corpus.rarity(self.wanted)
        self._titles: dict[str, str] = {}
        self._wholes: dict[str, frozenset[str]] = {}
        self._pieces: dict[tuple[str, int | None, str, bool, str], frozenset[str]] = {}

    def cover(self, present: frozenset[str]) -> float:
        """Return the coverage by a set of terms."""
        return coverage(self.wanted, present, self.rarity)

    def alone(self, component: Component) -> float:
        """Return the coverage by the best piece: a table's best row with title and caption, else the whole."""
        if component.table is not None and component.table.rows:
            return max(self._of_rows(component))
        return self.cover(self.whole(component))

    def best_rows(self, component: Component) -> frozenset[int]:
        """Return the table rows that cover most of the text; empty without rows or shared terms."""
        covered = self._of_rows(component)
        most = max(covered, default=0.0)
        return frozenset(row for row, share in enumerate(covered) if share == most > 0)

    def fitting_rows(self, component: Component, count: int) -> list[int]:
        """Return the ``count`` table rows that cover most of the text, in their order; of equals the first."""
        covered = self._of_rows(component)
        return sorted(sorted(range(len(covered)), key=lambda row: (-covered[row], row))[:count])

    def along(self, parent: Component, path: Path, component: Component) -> float:
        """Return the coverage by the parent's linking piece and the component together."""
        linking_terms = self.whole(parent) if path.get("mention") else self.piece(parent, path)
        return self.cover(linking_terms | self.whole(component))

    def piece(self, component: Component, path: Path) -> frozenset[str]:
        """Return the terms of the row or sentences that a path starts from, with the document's title."""
        # All links of a row share its piece; in running text each anchor has its own sentence.
        anchor = "" if path["row"] is not None else path["anchor"]
        key = (component.id, path["row"], anchor, path.get("mention", False), path.get("kind", "link"))
        if key not in self._pieces:
            piece = f"{self.title(component)} {piece_text(component, path)}"
            self._pieces[key] = (_short_terms if len(piece) <= _SHORT else content_terms)(piece, self.language)
        return self._pieces[key]

    def whole(self, component: Component) -> frozenset[str]:
        """Return the terms of a component with its document's title."""
        if component.id not in self._wholes:
            self.learn_wholes([component.id])
        return self._wholes[component.id]

    def learn_wholes(self, components: Iterable[str]) -> None:
        """Read the terms of many components at once."""
        missing = [id_ for id_ in components if id_ not in self._wholes]
        known = self.corpus.component_terms(missing) if missing else {}
        self._wholes.update({id_: known.get(id_, frozenset()) for id_ in missing})

    def nearest_pieces(self, components: list[str]) -> dict[str, int]:
        """Return the number of each component's sentence or row nearest by vector; not for pictures."""
        if not components:
            return {}
        nearest = self.corpus.best_subcomponents(self.corpus.embed([self.text])[0], components)
        kinds = {key: piece.rpartition("/")[2] for key, (piece, _) in nearest.items()}
        return {key: int(kind[1:]) for key, kind in kinds.items() if kind[:1] in ("s", "r") and kind[1:].isdigit()}

    def title(self, component: Component) -> str:
        """Return the title of the component's document; its id if the document is gone."""
        if component.document not in self._titles:
            self.learn_titles([component.document])
        return self._titles[component.document]

    def learn_titles(self, documents: Iterable[str]) -> None:
        """Read the titles of many documents at once."""
        missing = set(documents) - set(self._titles)
        known = self.corpus.documents(missing) if missing else {}
        self._titles.update({key: known[key].title if key in known else key for key in missing})

    def _of_rows(self, component: Component) -> list[float]:
        rows = range(len(component.table.rows)) if component.table is not None else range(0)
        return [self.cover(self.piece(component, {"parent": component.id, "row": row, "anchor": ""})) for row in rows]
