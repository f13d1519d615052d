"""What the policy allows one person: the grants of key, group and everyone, laid over what is so without a policy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from backtrail.tools.access.policy.document import FixedAssistant, Grants, Most, Policy, Quota, Rate
from backtrail.tools.settings.keys import flatten

ANYTHING = ["*"]

GROUP = "group:"
"""Before the name of a group that owns something; no holder's name has a colon."""

OF_AN_OPEN_SERVER = Grants(
    methods=ANYTHING, corpora=ANYTHING, roles=ANYTHING, settings=ANYTHING, web=True, ingest=True
)  # fmt: skip
"""Without keys the only clients are on the host's own machine."""

OF_A_SERVER_WITH_KEYS = OF_AN_OPEN_SERVER.model_copy(update={"web": False, "ingest": False, "rate": Rate(at_once=20)})
"""With keys clients are others: what reaches out or stores anything has to be granted. Twenty runs at once keep a
machine of ordinary size busy, and one client from filling the queue for the rest (ours)."""


@dataclass(frozen=True)
class Allowed:
    """What one person may do. ``models`` is None where the host has listed none: then its own addresses count."""

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
        """What stands for this person's group among owners; empty when in none."""
        return f"{GROUP}{self.group}" if self.group else ""

    def owns(self, owner: str) -> bool:
        """Whether what has this owner is this person's or their group's."""
        return bool(owner) and owner in (self.name, self.shared)

    def is_meant(self, assistant: FixedAssistant) -> bool:
        """Whether an assistant of the host's is for this person."""
        return assistant.whom is None or bool({self.name, self.group} & set(assistant.whom) - {""})


def allowed(policy: Policy | None, name: str, *, closed: bool, groups: Iterable[str] = ()) -> Allowed:
    """What somebody may do.

    Args:
        name: of the holder of the key; empty on a server without keys.
        closed: whether there are keys.
        groups: that a token says its subject is in; the first one that the policy knows counts, unless the policy
            itself puts the name into one.
    """
    circles = [OF_A_SERVER_WITH_KEYS if closed else OF_AN_OPEN_SERVER]
    group = ""
    if policy is not None:
        group = policy.group_of(name) or next((one for one in groups if one in policy.groups), "")
        written = [policy.everyone, policy.groups.get(group), policy.keys.get(name)]
        circles += [grants for grants in written if grants is not None]
    said: dict[str, Any] = {}
    defaults: dict[str, Any] = {}
    for circle in circles:
        told: dict[str, Any] = {key: getattr(circle, key) for key in Grants.model_fields}
        said.update({key: value for key, value in told.items() if value is not None and not _nested(value)})
        for key in ("most", "quota", "rate"):
            said[key] = _over(said.get(key), told[key])
        defaults.update(flatten(circle.defaults))
    return Allowed(**{"models": None, **said}, name=name, group=group, defaults=defaults)


def _nested(value: Any) -> bool:
    return isinstance(value, (BaseModel, dict))


def _over(wider: Any, narrower: Any) -> Any:
    """Numbers of the narrower circle where it names some, else those of the wider."""
    if wider is None:
        return narrower
    return wider.model_copy(update=narrower.model_dump(exclude_none=True))
