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
    """The settings with which a run starts. Blocking.

    Raises:
        PolicyRefused, CorpusNotFound: the owner may not use them.
        SettingsError: keys or policy cannot be used.
    """
    check_holder(run.owner)
    whom, policy = allowed_to(run.owner), policy_in_force()
    check_corpus(policy, whom, run.assistant, sent)
    settings = settings_of_run(policy, whom, run.method, run.assistant, sent)
    return _within_quota(settings, whom)


def check_holder(name: str) -> None:
    """Refuse to continue for somebody whose key was revoked. Blocking.

    Raises:
        PolicyRefused: the key was revoked.
    """
    holders = credentials().holders()
    if name and holders is not None and not is_held(name, holders):
        raise PolicyRefused("The key that started this was revoked.")


def _within_quota(settings: Settings, whom: Allowed) -> Settings:
    """Lower the budget to what the holder may still spend today."""
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
            limit: int | None = getattr(budget, name)
            left[name] = tokens if limit is None else min(limit, tokens)
    return settings.model_copy(update={"budget": budget.model_copy(update=left)})
