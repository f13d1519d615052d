"""Documents that an edge of shown components leads to and that no hop has reached."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from backtrail.nodes.graph_traversal.paths import local_paths, path_scores
from backtrail.nodes.reading.component_views import clip
from backtrail.state.component import Component, Document
from backtrail.state.fif.fused_decisions import Neighbour
from backtrail.state.hop import Hop
from backtrail.tools.corpus.protocol import CorpusReader

NEIGHBOURS_SHOWN = 10
SAID_CHARACTERS = 80
ANCHORS_LOOKED_AT = 5


@dataclass(frozen=True)
class Unreached:
    """Documents one edge away that no hop has reached, and how many more there are."""

    shown: list[Neighbour]
    left_out: int


def unreached_documents(
    corpus: CorpusReader, wanted: str, components: Sequence[Component], hops: Sequence[Hop]
) -> Unreached:
    """Return unreached neighbours, those that fit the text ``wanted`` best first. Reads the corpus (blocking)."""
    reached = {scored["id"] for hop in hops for scored in hop["documents"]}
    reached |= {component.document for component in components}
    sources = list(dict.fromkeys(component.document for component in components))[:ANCHORS_LOOKED_AT]
    paths = {document: led for document, led in local_paths(corpus, sources).items() if document not in reached}
    scores = path_scores(corpus, wanted, "document", paths)
    best = sorted(scores, key=lambda document: (-scores[document].score, document))[:NEIGHBOURS_SHOWN]
    titles: Mapping[str, Document] = corpus.documents(best)
    homes = {
        key: held.document for key, held in corpus.components([scores[one].path["parent"] for one in best]).items()
    }
    shown = [
        Neighbour(
            id=one,
            title=titles[one].title,
            linked_from=homes.get(path["parent"], ""),
            by=path.get("kind", "link"),
            said=clip(path["anchor"], SAID_CHARACTERS),
        )
        for one in best
        for path in [scores[one].path]
        if one in titles
    ]
    return Unreached(shown, len(paths) - len(best))
