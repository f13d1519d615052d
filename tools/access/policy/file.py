"""Read and check the policy file."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from backtrail.state.settings import OFFLINE, Settings
from backtrail.tools.access.api_keys import NAME
from backtrail.tools.access.patterns import matches
from backtrail.tools.access.policy.document import Grants, Policy
from backtrail.tools.access.policy.errors import PolicyError
from backtrail.tools.access.policy.lines import line_of, lines_of_keys
from backtrail.tools.deciders.model_name import parse_model_name
from backtrail.tools.errors import SettingsError
from backtrail.tools.home import home
from backtrail.tools.settings.keys import ROLES, flatten, known_keys, nest
from backtrail.tools.untrusted_values import read_toml

VARIABLE = "BACKTRAIL_POLICY_FILE"

MOST_BYTES = 1_000_000
"""Size limit of a policy: ten thousand keys with grants of their own (ours)."""

Problem = tuple[tuple[str | int, ...], str]


def policy_file() -> Path:
    """``$BACKTRAIL_POLICY_FILE``, else ``policy.toml`` in home."""
    named = os.environ.get(VARIABLE)
    return Path(named).expanduser() if named else home() / "policy.toml"


def read_policy(file: Path | None = None) -> Policy | None:
    """The policy; None when there is no file.

    Raises:
        PolicyError: the file is unreadable or invalid, or the variable names a missing one.
    """
    place = file or policy_file()
    try:
        if place.stat().st_size > MOST_BYTES:
            raise PolicyError(f"The policy {place} is larger than {MOST_BYTES:,} bytes.")
        text = place.read_text(encoding="utf-8")
    except FileNotFoundError:
        if file or os.environ.get(VARIABLE):
            raise PolicyError(f"The policy {place} does not exist.") from None
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise PolicyError(f"The policy {place} cannot be read ({error}).") from None
    return parse_policy(text, place)


def parse_policy(text: str, place: Path) -> Policy:
    """Parse and check the text of a policy.

    Raises:
        PolicyError: names the line, the key and the value of every problem.
    """
    try:
        policy = Policy.model_validate(read_toml(text))
    except ValidationError as error:
        problems: list[Problem] = [(problem["loc"], _sentence(problem)) for problem in error.errors()]
    except ValueError as error:
        raise PolicyError(f"The policy {place} is not TOML: {error}.") from None
    else:
        problems = list(_problems(policy))
        if not problems:
            return policy
    lines = lines_of_keys(text)
    raise PolicyError(
        "\n".join(f"{place}, line {line_of(where, lines)}: {_dotted(where)} {problem}" for where, problem in problems)
    )


def _dotted(where: tuple[str | int, ...]) -> str:
    return ".".join(str(part) for part in where)


def _sentence(problem: Any) -> str:
    if problem["type"] == "extra_forbidden":
        return "is unknown."
    message = str(problem["msg"])
    return f"= {str(problem['input'])[:80]!r} cannot be used: {message[:1].lower()}{message[1:]}."


def _problems(policy: Policy) -> Iterator[Problem]:
    """Problems that a schema cannot express."""
    for where, grants in _all_grants(policy):
        yield from _of_grants(where, grants)
    belonging = Counter(member for group in policy.groups.values() for member in set(group.members))
    for group, grants in policy.groups.items():
        for member in grants.members:
            if belonging[member] > 1:
                yield ("groups", group, "members"), f"lists {member!r}, who is in another group too: use one."
    for kind in ("groups", "keys", "assistants"):
        for name in getattr(policy, kind):
            if not NAME.fullmatch(name):
                yield (kind, name), "is not a valid name: use 1 to 63 letters, digits, '_' or '-'."
    for name, assistant in policy.assistants.items():
        yield from _of_settings(("assistants", name, "settings"), assistant.settings)
        yield from _of_patterns(("assistants", name, "free"), assistant.changeable)


def _all_grants(policy: Policy) -> Iterator[tuple[tuple[str, ...], Grants]]:
    yield ("everyone",), policy.everyone
    yield from ((("groups", name), grants) for name, grants in policy.groups.items())
    yield from ((("keys", name), grants) for name, grants in policy.keys.items())


def _of_grants(where: tuple[str, ...], grants: Grants) -> Iterator[Problem]:
    yield from _of_settings((*where, "defaults"), grants.defaults)
    yield from _of_patterns((*where, "settings"), grants.settings or [])
    for role in grants.roles or []:
        if not any(matches(known, role) for known in ROLES):
            yield (*where, "roles"), f"lists {role!r}, which is not a role; roles are {', '.join(ROLES)}."
    for model in grants.models or []:
        if model != OFFLINE and ":" not in model and "*" not in model:
            yield (*where, "models"), f"lists {model!r}, which is not a model. Write provider:model, or a pattern."


def _of_patterns(where: tuple[str, ...], patterns: list[str]) -> Iterator[Problem]:
    for pattern in patterns:
        if not any(matches(known, pattern) for known in known_keys()):
            yield where, f"lists {pattern!r}, which is not a setting. See docs/settings.md."


def _of_settings(where: tuple[str, ...], table: dict[str, Any]) -> Iterator[Problem]:
    """Problems of settings that the host writes, nested or dotted."""
    flat, known = flatten(table), set(known_keys())
    for key in flat:
        if key not in known:
            yield (*where, *key.split(".")), "is not a setting. See docs/settings.md."
    if not set(flat) <= known:
        return
    try:
        settings = Settings.model_validate(nest(flat))
        for role in ROLES:
            if (model := str(getattr(settings, role))) != OFFLINE:
                parse_model_name(model)
    except ValidationError as error:
        for problem in error.errors():
            yield (*where, *problem["loc"]), _sentence(problem)
    except SettingsError as error:
        yield where, f"cannot be used: {error}"


@dataclass
class PolicyWatch:
    """The current policy. The file is checked at each call. Blocking.

    When the file becomes unusable, the last usable policy stays in force and ``problem`` says what is wrong. At the
    start there is none, and the error is raised.
    """

    problem: str = ""
    _stamp: tuple[object, ...] | None = field(default=None, init=False)
    _policy: Policy | None = field(default=None, init=False)
    _begun: bool = field(default=False, init=False)

    def in_force(self) -> Policy | None:
        """The policy; None when the host has written none.

        Raises:
            PolicyError: the policy cannot be used, and none was in force before.
        """
        file = policy_file()
        try:
            state = file.stat()
            stamp: tuple[object, ...] = (file, state.st_mtime_ns, state.st_size, state.st_ino)
        except OSError:
            stamp = (file,)
        if stamp == self._stamp:
            return self._policy
        try:
            policy = read_policy()
            if policy is None and self._policy is not None and self._stamp and self._stamp[0] == file:
                raise PolicyError(f"The policy {file} is gone; its last content stays in force until a restart.")
            self._policy, self.problem = policy, ""
        except PolicyError as error:
            if not self._begun:
                raise
            self.problem = str(error)
        self._stamp, self._begun = stamp, True
        return self._policy
