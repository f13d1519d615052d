"""Fusion of rankings of components, pictures and documents.

Lexical search finds identifiers, dates, options and error messages that an embedder blurs; dense search finds
paraphrases. Hybrid search (ours) joins both, and components in sections that words find. Components are then ranked by
fit (``rules/relevance.py``), documents by reciprocal ranks. Scores stay similarities, comparable with dense search.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from backtrail.nodes.graph_traversal.coverage import Covering
from backtrail.nodes.graph_traversal.deduplicate import deduplicate_ranking
from backtrail.nodes.graph_traversal.relevance_features import Measure, is_bare
from backtrail.rules.relevance import alone, by_kind
from backtrail.state.component import Modality
from backtrail.state.hop import Granularity, Scored
from backtrail.tools.corpus.protocol import CorpusReader
from backtrail.tools.corpus.search.reciprocal_rank_fusion import fuse

DEPTH = 100
"""Depth of either list for fusion."""


def search_components(
    corpus: CorpusReader,
    text: str,
    granularity: Granularity,
    keep: int,
    documents: Collection[str] | None = None,
    *,
    words: bool,
) -> list[Scored]:
    """Return the best components among the children of documents; ``words``: hybrid search, else dense."""
    query = corpus.embed([text])[0]
    if not words:
        return corpus.search_components(query, granularity, keep, documents)
    depth = max(keep, DEPTH)
    found = [
        *corpus.search_components(query, granularity, depth, documents),
        *corpus.search_lexical(text, "component", depth, documents),
        *corpus.search_in_context(text, depth, documents),
    ]
    if granularity == "subcomponent":  # a component of one sentence has no pieces, so both layers are searched
        found += owners(corpus.search_lexical(text, "subcomponent", 2 * depth, documents))[:depth]
    return ranked_by_fit(corpus, text, list(dict.fromkeys(scored["id"] for scored in found)), keep)


def ranked_by_fit(corpus: CorpusReader, text: str, ids: list[str], keep: int) -> list[Scored]:
    """Rank components by fit to a text, without duplicates, ties in reading order; similarities are the scores."""
    similarities = dict(zip(ids, Measure(corpus, text).similarities(ids), strict=True))
    components = corpus.components(ids)
    bare = {key for key, component in components.items() if is_bare(component)}
    kinds: dict[str, Modality] = {key: one.modality for key, one in components.items() if key not in bare}
    fits = fits_of(corpus, text, similarities, kinds=kinds, bare=bare)
    places = {key: (component.document, component.position) for key, component in components.items()}
    ranked = sorted(components, key=lambda key: (-round(fits[key], 6), places[key]))
    return deduplicate_ranking(corpus, components, [{"id": key, "score": similarities[key]} for key in ranked], keep)


def fits_of(
    corpus: CorpusReader,
    text: str,
    similarities: Mapping[str, float],
    *,
    kinds: Mapping[str, Modality] | None = None,
    bare: Collection[str] = (),
) -> dict[str, float]:
    """Return the fit of components to a text, by similarity, coverage and context.

    Args:
        kinds: modality by id, of those whose modality counts.
        bare: those whose context does not count, since they have no text beyond it.
    """
    covering, kinds = Covering(corpus, text), kinds or {}
    contexts = corpus.contexts(text, similarities) | dict.fromkeys(bare, 0.0)
    fits = {
        key: alone(covering.cover(terms), similarities[key], contexts[key], table=kinds.get(key) == "table")
        for key, terms in corpus.component_terms(similarities).items()
    }
    return by_kind(fits, kinds, text)


def search_documents(
    corpus: CorpusReader,
    text: str,
    granularity: Granularity,
    keep: int,
    documents: Collection[str] | None = None,
    *,
    words: bool,
) -> list[Scored]:
    """Return the best documents of the corpus, or of some; ``words``: hybrid search, else dense."""
    query = corpus.embed([text])[0]
    if not words:
        return corpus.search_documents(query, granularity, keep, documents)
    depth = max(keep, DEPTH)
    near = corpus.search_documents(query, granularity, depth, documents)
    lexical = lexical_documents(corpus, text, granularity, depth, documents)
    ranked = fuse([near, lexical], keep)
    scores = {scored["id"]: scored["score"] for scored in near}
    rest = [scored["id"] for scored in ranked if scored["id"] not in scores]
    if rest:
        scores.update((one["id"], one["score"]) for one in corpus.search_documents(query, granularity, len(rest), rest))
    return [{"id": scored["id"], "score": scores[scored["id"]]} for scored in ranked]


def fuse_pictures(components: list[Scored], pictures: list[Scored], keep: int) -> list[Scored]:
    """Fuse components found by words with pictures found by pixels (ours).

    Scores stay those of words. A picture found by pixels alone gets the score at its own rank there.
    """
    places = [scored["score"] for scored in components] or [0.0]
    scores = {scored["id"]: places[min(place, len(places) - 1)] for place, scored in enumerate(pictures)}
    scores.update((scored["id"], scored["score"]) for scored in components)
    by_id = {scored["id"]: scored for scored in components}
    ranked = fuse([components, pictures], keep)
    return [by_id.get(scored["id"]) or {"id": scored["id"], "score": scores[scored["id"]]} for scored in ranked]


def lexical_documents(
    corpus: CorpusReader, text: str, granularity: Granularity, keep: int, documents: Collection[str] | None = None
) -> list[Scored]:
    """Return documents by the best BM25 score of their descendants at the layer of the granularity."""
    # A document has many descendants, so more of them are searched than documents are wanted.
    found = corpus.search_lexical(text, granularity, keep if granularity == "document" else 4 * keep, documents)
    if granularity == "document":
        return found
    if granularity == "subcomponent":
        found = owners(found)
    components = corpus.components([scored["id"] for scored in found])
    best: dict[str, float] = {}
    for scored in found:
        component = components.get(scored["id"])
        if component is not None:
            best.setdefault(component.document, scored["score"])
    return [{"id": document, "score": score} for document, score in list(best.items())[:keep]]


def owners(pieces: list[Scored]) -> list[Scored]:
    """Return the components of ranked sentences and rows, each at the place of its best one."""
    best: dict[str, float] = {}
    for scored in pieces:
        best.setdefault(scored["id"].rsplit("/", 1)[0], scored["score"])
    return [{"id": component, "score": score} for component, score in best.items()]
