"""Keys and policy of this process, reloaded when their files change."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from backtrail.tools.access.api_keys import Holder, KeyRing
from backtrail.tools.access.policy.allowed import Allowed, allowed
from backtrail.tools.access.policy.document import Policy
from backtrail.tools.access.policy.file import PolicyWatch
from backtrail.tools.access.records.subjects import groups_of
from backtrail.tools.access.tokens import is_subject, takes_tokens


@cache
def credentials() -> KeyRing:
    """The one key ring of this process."""
    return KeyRing()


@cache
def policy_watch() -> PolicyWatch:
    """The one reader of the policy of this process."""
    return PolicyWatch()


def policy_in_force() -> Policy | None:
    """The policy; None when the host has written none. Blocking: it looks at the file.

    Raises:
        PolicyError: it cannot be used, and none was in force before.
    """
    return policy_watch().in_force()


def is_held(name: str, holders: Mapping[str, Holder]) -> bool:
    """Whether runs of a name may continue: it has a key, or is a subject and the server takes tokens."""
    return name in holders or (is_subject(name) and takes_tokens())


def allowed_to(name: str) -> Allowed:
    """What somebody may do now, by the name of their key; empty on a server without keys. Blocking.

    Raises:
        SettingsError: the keys or the policy cannot be used.
    """
    groups = groups_of(name) if is_subject(name) else ()
    return allowed(policy_in_force(), name, closed=not credentials().is_open(), groups=groups)
