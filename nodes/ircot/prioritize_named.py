"""Ranking with components that the chain of thought names first, as the reader sees fewer of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from backtrail.nodes.graph_traversal.coverage import Covering
from backtrail.nodes.ircot.look_up import DECIMALS, fuse_retrievals
from backtrail.state.component import Component
from backtrail.state.hop import Hop, Scored
from backtrail.state.ircot.memory import Thought
from backtrail.tools.corpus.protocol import CorpusReader

A_THOUGHT = 2
"""Most components that one sentence of the chain may move to the front (ours)."""
SAYS_IT = 0.5
"""Least share of a sentence's terms, weighted by rarity, in a component that the sentence is based on (ours)."""


def prioritize_named(
    corpus: CorpusReader, thoughts: Sequence[Thought], hops: list[Hop], keep: int, *, late: int
) -> list[Scored]:
    """Rank an ended chain's sources first, then the newest results, then the others.

    A sentence based on evidence repeats its names and values. Scores are 1/rank, as coverage of different sentences
    does not compare. Reads the corpus (blocking).
    """
    fused = [scored["id"] for scored in fuse_retrievals(hops, sum(len(hop["components"]) for hop in hops))]
    components = corpus.components(fused)
    named = [key for thought in thoughts for key in _sources_of(corpus, thought["text"], components)]
    newest = [scored["id"] for scored in hops[-1]["components"][:late]] if hops else []
    # The newest results keep their places behind the chain, however long that is.
    first = list(dict.fromkeys(named))[: max(0, keep - len(newest))]
    ranked = list(dict.fromkeys([*first, *newest, *fused]))[:keep]
    return [{"id": key, "score": round(1 / place, DECIMALS)} for place, key in enumerate(ranked, start=1)]


def _sources_of(corpus: CorpusReader, sentence: str, components: Mapping[str, Component]) -> list[str]:
    covering = Covering(corpus, sentence)
    covering.learn_titles(component.document for component in components.values())
    covered = {key: covering.alone(component) for key, component in components.items()}
    best = sorted(covered, key=lambda key: (-covered[key], key))[:A_THOUGHT]
    return [key for key in best if covered[key] >= SAYS_IT]
