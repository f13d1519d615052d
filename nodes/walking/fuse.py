"""fuse: rankings of components, pictures and documents joined into one."""

from __future__ import annotations

from backtrail.state.hop import Granularity, Scored
from backtrail.tools.corpus.protocol import CorpusReader
from backtrail.tools.corpus.search.reciprocal_ranks import fuse


def fuse_pictures(components: list[Scored], pictures: list[Scored], keep: int) -> list[Scored]:
    """Components found by words fused with pictures found by pixels (ours).

    Scores stay those of words. A picture that only its pixels found takes the score at its own place there.
    """
    places = [scored["score"] for scored in components] or [0.0]
    scores = {scored["id"]: places[min(place, len(places) - 1)] for place, scored in enumerate(pictures)}
    scores.update((scored["id"], scored["score"]) for scored in components)
    return [{"id": scored["id"], "score": scores[scored["id"]]} for scored in fuse([components, pictures], keep)]


def lexical_documents(corpus: CorpusReader, text: str, granularity: Granularity, keep: int) -> list[Scored]:
    """Documents by the best BM25 score among their descendants at the layer of the granularity."""
    # A document has many descendants: look at more of them than documents are wanted.
    found = corpus.search_lexical(text, granularity, keep if granularity == "document" else 4 * keep)
    if granularity == "document":
        return found
    owners = {scored["id"]: _component_of(scored["id"], granularity) for scored in found}
    components = corpus.components(set(owners.values()))
    best: dict[str, float] = {}
    for scored in found:
        component = components.get(owners[scored["id"]])
        if component is not None:
            best.setdefault(component.document, scored["score"])
    return [{"id": document, "score": score} for document, score in list(best.items())[:keep]]


def _component_of(key: str, granularity: Granularity) -> str:
    return key.rsplit("/", 1)[0] if granularity == "subcomponent" else key
