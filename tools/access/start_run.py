"""Start a run on the server: apply the policy in force and today's remaining quota."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backtrail.state.settings import Settings
from backtrail.tools.access.credentials import allowed_to, credentials, is_held, policy_in_force
from backtrail.tools.access.policy.allowed import Allowed
from backtrail.tools.access.policy.errors import PolicyRefused
from backtrail.tools.access.policy.gate import check_corpus, settings_of_run
from backtrail.tools.access.records.spending import spent_today
from backtrail.tools.observability.run import ObservedRun


def begin(run: ObservedRun, sent: Mapping[str, Any]) -> Settings:
    """The settings with which a run goes to work. Blocking.

    Raises:
        PolicyRefused, CorpusNotFound: whoever asks may not have them.
        SettingsError: keys or policy cannot be used.
    """
    check_holder(run.owner)
    whom, policy = allowed_to(run.owner), policy_in_force()
    check_corpus(policy, whom, run.assistant, sent)
    settings = settings_of_run(policy, whom, run.method, run.assistant, sent)
    return _within_quota(settings, whom)


def check_holder(name: str) -> None:
    """Refuse to go on for somebody whose key was taken away. Blocking.

    Raises:
        PolicyRefused: it was.
    """
    holders = credentials().holders()
    if name and holders is not None and not is_held(name, holders):
        raise PolicyRefused("The key that this was begun with was taken away.")


def _within_quota(settings: Settings, whom: Allowed) -> Settings:
    """No run may spend more than its holder has left today."""
    quota = whom.quota
    if quota.usd is None and quota.tokens is None:
        return settings
    spent, budget = spent_today(whom.name), settings.budget
    left: dict[str, Any] = {}
    if quota.usd is not None:
        dollars = max(0.0, quota.usd - spent.usd)
        left["usd"] = dollars if budget.usd is None else min(budget.usd, dollars)
    if quota.tokens is not None:
        tokens = max(0, quota.tokens - spent.tokens)
        for name in ("input_tokens", "output_tokens"):
            asked: int | None = getattr(budget, name)
            left[name] = tokens if asked is None else min(asked, tokens)
    return settings.model_copy(update={"budget": budget.model_copy(update=left)})
