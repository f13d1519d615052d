"""Default of the setting ``knowledge`` for OmniSearch."""

from __future__ import annotations

from backtrail.state.answer import Knowledge
from backtrail.state.omnisearch.variant import OMNISEARCH
from backtrail.state.settings import Settings


def default_knowledge(settings: Settings) -> Knowledge:
    """Return "both"; as published, "evidence"."""
    return "both" if OMNISEARCH.of(settings.variant).own_knowledge else "evidence"
