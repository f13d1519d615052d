"""Decide which model calls the variant ``ours`` skips (ours).

To the rules a reading more costs nothing, so with them every source reads every part by itself, as in the paper.
"""

from __future__ import annotations

from backtrail.state.hm_rag.variant import HM_RAG
from backtrail.state.settings import OFFLINE, Settings


def thrifty(settings: Settings) -> bool:
    """Whether a reading is a call that is to be spared."""
    return HM_RAG.of(settings.variant).thrift and settings.reader != OFFLINE


def repeats_vectors(settings: Settings) -> bool:
    """Whether the web is the corpus that the vector agent searches already, by the same words and vectors."""
    return thrifty(settings) and settings.web.provider == "corpus" and "vector" in settings.hm_rag.sources
