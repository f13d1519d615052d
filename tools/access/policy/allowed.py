"""What the policy allows one person: grants of key, group and everyone, over the defaults."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from backtrail.tools.access.policy.document import FixedAssistant, Grants, Most, Policy, Quota, Rate
from backtrail.tools.settings.keys import flatten

ANYTHING = ["*"]

GROUP = "group:"
"""Prefix of groups among owners; names of holders have no colon."""

OF_AN_OPEN_SERVER = Grants(
    methods=ANYTHING, corpora=ANYTHING, roles=ANYTHING, settings=ANYTHING, web=True, ingest=True
)  # fmt: skip
"""Without keys the only clients are on the host's own machine."""

DEFAULTS_WITH_KEYS = OF_AN_OPEN_SERVER.model_copy(
    update={"web": False, "ingest": False, "rate": Rate(concurrent_runs=20)}
)
"""With keys the clients are other people: web access and ingestion have to be granted. Twenty runs at once keep an
ordinary machine busy, and one client from filling the queue for the rest (ours)."""


@dataclass(frozen=True)
class Allowed:
    """What one person may do. ``models`` is None where the policy lists none."""

    name: str
    group: str
    methods: list[str]
    corpora: list[str]
    models: list[str] | None
    roles: list[str]
    settings: list[str]
    web: bool
    ingest: bool
    most: Most
    quota: Quota
    rate: Rate
    defaults: Mapping[str, Any]

    @property
    def shared(self) -> str:
        """This person's group as an owner; empty without a group."""
        return f"{GROUP}{self.group}" if self.group else ""

    def owns(self, owner: str) -> bool:
        """Whether an owner is this person or their group."""
        return bool(owner) and owner in (self.name, self.shared)

    def is_meant(self, assistant: FixedAssistant) -> bool:
        """Whether this person may run an assistant of the host."""
        return assistant.whom is None or bool({self.name, self.group} & set(assistant.whom) - {""})


def allowed(policy: Policy | None, name: str, *, closed: bool, groups: Iterable[str] = ()) -> Allowed:
    """What somebody may do.

    Args:
        name: name of the holder; empty on a server without keys.
        closed: whether the server has keys.
        groups: groups that a token lists for its subject; the first one in the policy counts, unless the policy itself
            puts the name into one.
    """
    layers = [DEFAULTS_WITH_KEYS if closed else OF_AN_OPEN_SERVER]
    group = ""
    if policy is not None:
        group = policy.group_of(name) or next((one for one in groups if one in policy.groups), "")
        written = [policy.everyone, policy.groups.get(group), policy.keys.get(name)]
        layers += [grants for grants in written if grants is not None]
    merged: dict[str, Any] = {}
    defaults: dict[str, Any] = {}
    for grants in layers:
        values: dict[str, Any] = {key: getattr(grants, key) for key in Grants.model_fields}
        merged.update({key: value for key, value in values.items() if value is not None and not _nested(value)})
        for key in ("most", "quota", "rate"):
            merged[key] = _over(merged.get(key), values[key])
        defaults.update(flatten(grants.defaults))
    return Allowed(**{"models": None, **merged}, name=name, group=group, defaults=defaults)


def _nested(value: Any) -> bool:
    return isinstance(value, (BaseModel, dict))


def _over(wider: Any, narrower: Any) -> Any:
    """The wider limits, updated with those that the narrower ones set."""
    if wider is None:
        return narrower
    return wider.model_copy(update=narrower.model_dump(exclude_none=True))
