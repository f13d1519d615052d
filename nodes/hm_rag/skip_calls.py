"""Model calls that the variant ``ours`` skips (ours).

Readings by rules cost nothing, so with rules every source reads every part, as in the paper.
"""

from __future__ import annotations

from backtrail.state.hm_rag.variant import HM_RAG
from backtrail.state.settings import OFFLINE, Settings


def saves_calls(settings: Settings) -> bool:
    """Return whether readings are model calls to save."""
    return HM_RAG.of(settings.variant).batched_reading and settings.reader != OFFLINE


def repeats_vectors(settings: Settings) -> bool:
    """Return whether the web search would repeat the vector agent's search of the corpus."""
    return saves_calls(settings) and settings.web.provider == "corpus" and "vector" in settings.hm_rag.sources
