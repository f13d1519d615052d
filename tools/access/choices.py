"""Cache of what forms offer: the host's corpora and the models that the host names.

Forms are the same for everybody: corpora with an owner, or withheld from anybody by the policy, are left out.
"""

from __future__ import annotations

from dataclasses import dataclass

from backtrail.tools.access.credentials import policy_in_force
from backtrail.tools.access.patterns import among
from backtrail.tools.access.policy.document import Policy
from backtrail.tools.access.records.corpora import owned_corpora
from backtrail.tools.corpus.listing import list_corpora
from backtrail.tools.deciders.allowed import patterns


@dataclass(frozen=True)
class Choices:
    """Names of corpora and models; empty where anything may be typed."""

    corpora: tuple[str, ...] = ()
    models: tuple[str, ...] = ()


_held = Choices()


def choices() -> Choices:
    """The choices of the last look-up. Reads nothing."""
    return _held


def look_up_choices() -> None:
    """Refresh the choices. Blocking."""
    global _held
    owned, policy = owned_corpora(), policy_in_force()
    everyone = policy.everyone if policy else None
    named = [*(everyone.models or [] if everyone else []), *patterns()]
    _held = Choices(
        corpora=tuple(name for name in list_corpora() if name not in owned and _granted_to_all(policy, name)),
        models=() if any("*" in name for name in named) else tuple(dict.fromkeys(named)),
    )


def _granted_to_all(policy: Policy | None, corpus: str) -> bool:
    """Whether no grant of the policy excludes a corpus."""
    grants = [policy.everyone, *policy.groups.values(), *policy.keys.values()] if policy else []
    return all(among(corpus, one.corpora) for one in grants if one.corpora is not None)
