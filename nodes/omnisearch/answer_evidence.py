"""The evidence that OmniSearch answers from where the settings leave it to the method."""

from __future__ import annotations

from backtrail.state.answer import Knowledge
from backtrail.state.omnisearch.variant import OMNISEARCH
from backtrail.state.settings import Settings


def rests_on(settings: Settings) -> Knowledge:
    """What was found and own knowledge; as published, what was found."""
    return "both" if OMNISEARCH.of(settings.variant).own_knowledge else "evidence"
