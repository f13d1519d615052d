"""Paths: how a neighbouring document is reached, and how well path and neighbour together fit a subtask."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from typing import NamedTuple

from backtrail.language.sentences import split_sentences
from backtrail.language.terms import content_terms, coverage
from backtrail.state.component import Component
from backtrail.state.fif.memory import Path
from backtrail.state.hop import Hop
from backtrail.tools.corpus.protocol import CorpusReader

# Similarity separates neighbours that cover the same terms; coverage decides first (measured on
# linked tables: with a weight of 1 instead, a third fewer right neighbours come first).
SIMILARITY_WEIGHT = 0.3
# A subtask that concerns a table row wants that row's links first (0.1 to 0.4 rank alike).
BEST_ROW = 0.2


class ScoredPath(NamedTuple):
    """A neighbour's score by its best path."""

    score: float
    path: Path


def local_paths(corpus: CorpusReader, anchors: Collection[str]) -> dict[str, list[Path]]:
    """Every document that the anchors' components link to, with the links that lead there."""
    children = corpus.children(anchors)
    links = corpus.links({component for members in children.values() for component in members})
    paths: dict[str, list[Path]] = defaultdict(list)
    for component, leaving in links.items():
        for link in leaving:
            if link.target not in anchors:
                paths[link.target].append({"parent": component, "row": link.row, "anchor": link.anchor})
    return dict(paths)


def piece_text(component: Component, path: Path) -> str:
    """The piece of the parent that holds the link: its table row with header, or its sentences; of a mention all."""
    if component.table is not None and path["row"] is not None and path["row"] < len(component.table.rows):
        table = component.table
        cells = zip(table.header, table.rows[path["row"]], strict=False)
        return f"{table.caption}: " + "; ".join(f"{head} is {cell}" for head, cell in cells if cell)
    if component.image is not None:
        return f"{component.image.title} {component.image.caption} {component.image.alt}"
    if path.get("mention"):
        return component.text or ""
    holding = [sentence for sentence in split_sentences(component.text or "") if path["anchor"] in sentence]
    return " ".join(holding) or (component.text or "")


def path_scores(corpus: CorpusReader, route: Hop, paths: dict[str, list[Path]]) -> dict[str, ScoredPath]:
    """Score of each neighbour by its best path.

    Coverage of the subtask by linking piece and neighbour together, then similarity; links of the row
    that fits the subtask best come first.
    """
    if not paths:
        return {}
    query = corpus.embed([route["subquery"]])[0]
    granularity = route["strategy"]["granularity"] if route["strategy"] else "document"
    similar = {s["id"]: s["score"] for s in corpus.search_documents(query, granularity, len(paths), list(paths))}
    pieces = _Pieces(corpus, route["subquery"], paths)
    neighbours = corpus.document_terms(list(paths))
    scores: dict[str, ScoredPath] = {}
    for document, found in paths.items():
        own = neighbours.get(document, frozenset())
        for path in found:
            score = pieces.cover(path, own) + SIMILARITY_WEIGHT * similar.get(document, 0.0)
            score += BEST_ROW if pieces.best(path) else 0.0
            if document not in scores or score > scores[document].score:
                scores[document] = ScoredPath(score, path)
    return scores


class _Pieces:
    """Terms of the linking pieces, each read once."""

    def __init__(self, corpus: CorpusReader, subtask: str, paths: dict[str, list[Path]]) -> None:
        self._wanted = content_terms(subtask)
        self._rarity = corpus.rarity(self._wanted)
        self._parents = corpus.components({path["parent"] for found in paths.values() for path in found})
        titles = corpus.documents({component.document for component in self._parents.values()})
        self._titles = {key: document.title for key, document in titles.items()}
        self._terms = {self._key(path): self._read(path) for found in paths.values() for path in found}
        self._most: dict[str, float] = {}
        for (parent, row, _), terms in self._terms.items():
            if row is not None:
                covered = coverage(self._wanted, terms, self._rarity)
                self._most[parent] = max(self._most.get(parent, 0.0), covered)

    def cover(self, path: Path, own: frozenset[str]) -> float:
        """Coverage by the linking piece and the neighbour's own terms."""
        return coverage(self._wanted, self._terms[self._key(path)] | own, self._rarity)

    def best(self, path: Path) -> bool:
        """Whether the path leaves from the row of its table that covers most."""
        if path["row"] is None:
            return False
        return self.cover(path, frozenset()) == self._most[path["parent"]] > 0

    def _read(self, path: Path) -> frozenset[str]:
        parent = self._parents[path["parent"]]
        return content_terms(f"{self._titles.get(parent.document, '')} {piece_text(parent, path)}")

    @staticmethod
    def _key(path: Path) -> tuple[str, int | None, str]:
        # All links of a row share its piece; in running text each anchor has its own sentence.
        return (path["parent"], path["row"], "" if path["row"] is not None else path["anchor"])
