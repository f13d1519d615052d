"""Paths to neighbouring documents, and their joint match with a subtask."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import NamedTuple

from backtrail.nodes.graph_traversal.coverage import Covering
from backtrail.state.component import Link
from backtrail.state.hop import Granularity
from backtrail.state.path import Path
from backtrail.tools.corpus.protocol import CorpusReader

# Coverage decides first, similarity among equals (measured on linked tables: with a weight of 1, a
# third fewer right neighbours come first).
SIMILARITY_WEIGHT = 0.3
# A subtask that concerns a table row wants that row's links first (0.1 to 0.4 rank alike).
BEST_ROW = 0.2
# Most siblings of a page in its site that a hop searches.
MOST_BESIDE = 8
# Most neighbours that are scored path by path, and most paths of one neighbour; ours.
MOST_WEIGHED, MOST_LEADING = 1_000, 30


class ScoredPath(NamedTuple):
    """A neighbour's score by its best path."""

    score: float
    path: Path


def path_of(parent: str, link: Link) -> Path:
    """Return the path of an edge from a component."""
    path: Path = {"parent": parent, "row": link.row, "anchor": link.anchor}
    if link.kind == "internal":
        return path
    if link.kind == "name":
        return {**path, "mention": True, "kind": "name"}
    return {**path, "kind": "reference" if link.kind == "reference" else "hierarchy"}


def local_paths(corpus: CorpusReader, anchors: Collection[str]) -> dict[str, list[Path]]:
    """Return every document that an edge of the anchors leads to, with the paths to it.

    Links, references and shared names start from a component. From a document whose author links to no other, paths
    also lead to its parent, children and siblings in its site or folder, from its first component: where authors link,
    merely near pages would displace the linked ones (measured on the demo corpus).
    """
    children = corpus.children(anchors)
    links = corpus.links([component for members in children.values() for component in members])
    paths: dict[str, list[Path]] = defaultdict(list)
    for component, leaving in links.items():
        for link in leaving:
            if link.target not in anchors:
                paths[link.target].append(path_of(component, link))
    unlinked = [one for one in anchors if children.get(one) and not _links_out(one, children[one], links)]
    for document, placed in around(corpus, unlinked).items():
        for link in placed:
            if link.target not in anchors:
                paths[link.target].append(path_of(children[document][0], link))
    return dict(paths)


def _links_out(document: str, components: Collection[str], links: Mapping[str, list[Link]]) -> bool:
    """Return whether the author of a document links to another."""
    leaving = (link for component in components for link in links.get(component, ()))
    return any(link.kind == "internal" and link.target != document for link in leaving)


def around(corpus: CorpusReader, documents: Collection[str]) -> dict[str, list[Link]]:
    """Return the hierarchy links of documents: parents, children and siblings in their sites or folders.

    Siblings of a page are other children of its parent, the ``MOST_BESIDE`` nearest in the order of the site.
    """
    placed = corpus.hierarchy(documents)
    above = {link.target for links in placed.values() for link in links if link.kind == "parent"}
    below = corpus.hierarchy(above) if above else {}
    found: dict[str, list[Link]] = {}
    for document, links in placed.items():
        found[document] = list(links)
        for parent in [link.target for link in links if link.kind == "parent"]:
            order = [link for link in below.get(parent, []) if link.kind == "child"]
            own = next((place for place, link in enumerate(order) if link.target == document), 0)
            near = sorted(range(len(order)), key=lambda place: (abs(place - own), place))[: MOST_BESIDE + 1]
            found[document] += [
                order[place].model_copy(update={"kind": "sibling"}) for place in sorted(near) if place != own
            ]
    return found


def path_scores(
    corpus: CorpusReader, text: str, granularity: Granularity, paths: Mapping[str, list[Path]]
) -> dict[str, ScoredPath]:
    """Score each neighbour by its best path.

    The score is the joint coverage of the text by linking piece and neighbour, then similarity; links of the best row
    come first. Neighbours are compared at the layer of the granularity. Only the ``MOST_WEIGHED`` most similar
    neighbours are scored, each by its first ``MOST_LEADING`` paths, so that an index page does not slow a hop down.
    """
    if not paths:
        return {}
    query = corpus.embed([text])[0]
    similar = {s["id"]: s["score"] for s in corpus.search_documents(query, granularity, MOST_WEIGHED, list(paths))}
    if len(paths) > MOST_WEIGHED:
        paths = {document: found for document, found in paths.items() if document in similar}
    paths = {document: found[:MOST_LEADING] for document, found in paths.items()}
    leaving = _LinkingPieces(Covering(corpus, text), paths)
    neighbours = corpus.document_terms(list(paths))
    scores: dict[str, ScoredPath] = {}
    for document, found in paths.items():
        own = neighbours.get(document, frozenset())
        for path in found:
            score = leaving.cover(path, own) + SIMILARITY_WEIGHT * similar.get(document, 0.0)
            score += BEST_ROW if leaving.from_best_row(path) else 0.0
            if document not in scores or score > scores[document].score:
                scores[document] = ScoredPath(score, path)
    return scores


class _LinkingPieces:
    """Coverage by the pieces that paths start from, and the best linking row of each table."""

    def __init__(self, covering: Covering, paths: Mapping[str, list[Path]]) -> None:
        self._covering = covering
        every = [path for found in paths.values() for path in found]
        self._parents = covering.corpus.components({path["parent"] for path in every})
        covering.learn_titles(component.document for component in self._parents.values())
        self._most: dict[str, float] = {}
        for path in every:
            if path["row"] is not None:
                self._most[path["parent"]] = max(self._most.get(path["parent"], 0.0), self.cover(path, frozenset()))

    def cover(self, path: Path, own: frozenset[str]) -> float:
        """Return the coverage by the linking piece and the neighbour's own terms."""
        return self._covering.cover(self._covering.piece(self._parents[path["parent"]], path) | own)

    def from_best_row(self, path: Path) -> bool:
        """Return whether the path starts from its table's linking row with most coverage."""
        return path["row"] is not None and self.cover(path, frozenset()) == self._most[path["parent"]] > 0
