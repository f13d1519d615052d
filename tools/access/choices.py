"""What forms offer: the host's corpora, and the models that the host names. Looked up now and then, read at any time.

Only what everybody may see: corpora that belong to somebody are not among them, and are typed by those who have them.
"""

from __future__ import annotations

from dataclasses import dataclass

from backtrail.tools.access.records.corpora import owned_corpora
from backtrail.tools.access.ring import policy_in_force
from backtrail.tools.corpus.listing import list_corpora
from backtrail.tools.deciders.allowed import patterns


@dataclass(frozen=True)
class Choices:
    """Names; empty where anything may be typed."""

    corpora: tuple[str, ...] = ()
    models: tuple[str, ...] = ()


_held = Choices()


def choices() -> Choices:
    """What was found when it was last looked up. Reads nothing."""
    return _held


def look_up_choices() -> None:
    """Look them up anew. Blocking."""
    global _held
    owned, policy = owned_corpora(), policy_in_force()
    everyone = policy.everyone if policy else None
    named = [*(everyone.models or [] if everyone else []), *patterns()]
    _held = Choices(
        corpora=tuple(name for name in list_corpora() if name not in owned),
        models=() if any("*" in name for name in named) else tuple(dict.fromkeys(named)),
    )
