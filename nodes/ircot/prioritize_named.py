"""Put components that the chain of thought names first, as the reader sees fewer of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from backtrail.nodes.graph_traversal.coverage import Covering
from backtrail.nodes.ircot.look_up import DECIMALS, over_retrievals
from backtrail.state.component import Component
from backtrail.state.hop import Hop, Scored
from backtrail.state.ircot.memory import Thought
from backtrail.tools.corpus.protocol import CorpusReader

A_THOUGHT = 2
"""Components that one sentence of the chain may put in front (ours)."""
SAYS_IT = 0.5
"""Share of a sentence's terms, by rarity, that a component must cover for the sentence to be read off it (ours)."""


def prioritize_named(
    corpus: CorpusReader, thoughts: Sequence[Thought], hops: list[Hop], keep: int, *, late: int
) -> list[Scored]:
    """The ranking of a chain that has ended: what its sentences were read off, the newest find, then the others.

    A sentence that was read off the evidence says where: its names and values stand in the component. Scores count
    down from 1, as coverage of different sentences does not compare. Reads the corpus (blocking).
    """
    fused = [scored["id"] for scored in over_retrievals(hops, sum(len(hop["components"]) for hop in hops))]
    components = corpus.components(fused)
    spoken = [key for thought in thoughts for key in _spoken_of(corpus, thought["text"], components)]
    newest = [scored["id"] for scored in hops[-1]["components"][:late]] if hops else []
    # The newest finds keep their places behind the chain, however long that is.
    first = list(dict.fromkeys(spoken))[: max(0, keep - len(newest))]
    ranked = list(dict.fromkeys([*first, *newest, *fused]))[:keep]
    return [{"id": key, "score": round(1 / place, DECIMALS)} for place, key in enumerate(ranked, start=1)]


def _spoken_of(corpus: CorpusReader, sentence: str, components: Mapping[str, Component]) -> list[str]:
    covering = Covering(corpus, sentence)
    covering.learn_titles(component.document for component in components.values())
    covered = {key: covering.alone(component) for key, component in components.items()}
    best = sorted(covered, key=lambda key: (-covered[key], key))[:A_THOUGHT]
    return [key for key in best if covered[key] >= SAYS_IT]
