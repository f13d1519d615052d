"""Deduplication of retrievals: components with the same text share one id (ours).

Each search deduplicates its own results, but another sentence may find the page's copy. Two ids would take two places
in the ranking, and neither would count as found twice.
"""

from __future__ import annotations

from collections.abc import Mapping

from backtrail.nodes.graph_traversal.deduplicate import deduplicate_components, titles_in_boilerplate
from backtrail.state.hop import Hop, Scored
from backtrail.state.ircot.variant import IRCOT
from backtrail.state.settings import Settings
from backtrail.tools.corpus.protocol import CorpusReader


def deduplicate_retrievals(
    corpus: CorpusReader, hops: list[Hop], settings: Settings
) -> tuple[list[Hop], dict[str, list[str]]]:
    """Return retrievals with duplicates under one id, and the duplicates of each; as published, unchanged.

    Reads the corpus (blocking).
    """
    if not IRCOT.of(settings.variant).deduplicate_components:
        return hops, {}
    found = list(dict.fromkeys(scored["id"] for hop in hops for scored in hop["components"]))
    components = corpus.components(found)
    titles = titles_in_boilerplate(corpus, components.values())
    places = deduplicate_components(components, [key for key in found if key in components], titles=titles)
    first = {other: key for key, others in places.items() for other in others}
    if not first:
        return hops, {}
    once: list[Hop] = [{**hop, "components": _under_one_id(hop["components"], first)} for hop in hops]
    return once, {key: others for key, others in places.items() if others}


def _under_one_id(components: list[Scored], first: Mapping[str, str]) -> list[Scored]:
    once: dict[str, Scored] = {}
    for scored in components:
        key = first.get(scored["id"], scored["id"])
        once.setdefault(key, {**scored, "id": key})
    return list(once.values())
