"""Resolve the settings of a run from a client's request and the policy, or refuse it.

Applied twice, when a run is created and when it starts: in between an assistant, a cron or a thread may have added
settings, and the policy may have changed.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from backtrail.state.limits import check_size
from backtrail.state.settings import OFFLINE, Budget, Settings
from backtrail.tools.access.corpora import CORPUS, check_readable, may_read, only_corpus
from backtrail.tools.access.patterns import among
from backtrail.tools.access.policy.allowed import Allowed
from backtrail.tools.access.policy.document import FixedAssistant, Policy
from backtrail.tools.access.policy.errors import PolicyRefused
from backtrail.tools.corpus.errors import CorpusNotFound
from backtrail.tools.deciders.allowed import check_clients_may_name, matches_model
from backtrail.tools.deciders.model_name import parse_model_name
from backtrail.tools.settings.keys import ROLES, flatten, known_keys, nest

_BUDGET = "budget."
_ASSISTANTS = uuid.UUID("5f0b7f0e-6c0e-5d5b-9d52-2f6a9b4f2a10")
_SHOWN = 20
_DEFAULTS = flatten(Settings().model_dump(mode="json"))


def assistant_id(name: str) -> str:
    """The id of a fixed assistant, the same on every server."""
    return str(uuid.uuid5(_ASSISTANTS, name))


def fixed_assistant(policy: Policy | None, id_: str) -> tuple[str, FixedAssistant] | None:
    """The fixed assistant with an id, and its name."""
    assistants = policy.assistants.items() if policy else ()
    return next(((name, one) for name, one in assistants if id_ in (name, assistant_id(name))), None)


def settings_of_run(
    policy: Policy | None, whom: Allowed, method: str, assistant: str, sent: Mapping[str, Any]
) -> Settings:
    """The settings of a run: what was sent, over the host's defaults, under the host's ceilings.

    Args:
        sent: nested settings that the client chose; unknown ones are ignored here.

    Raises:
        PolicyRefused: a setting may not be chosen.
        CorpusNotFound: the corpus belongs to somebody else.
        SettingsError: a model that clients of this server may not name.
    """
    if fixed := fixed_assistant(policy, assistant):
        chosen = _of_fixed(*fixed, whom, sent)
    else:
        if not among(method, whom.methods):
            raise PolicyRefused(f"The method {method!r} is not allowed for you. {_offered(whom.methods)}")
        chosen = _of_client(whom, sent)
    return _under(_settings({**whom.defaults, **chosen}), whom)


def check_corpus(policy: Policy | None, whom: Allowed, assistant: str, sent: Mapping[str, Any]) -> None:
    """Refuse a corpus that the client may not read, as one that does not exist.

    Called before ``settings_of_run``, so that other errors of the settings reveal nothing about the corpus.

    Raises:
        CorpusNotFound: lists the corpora that the client may read.
        SettingsError: not a valid name of a corpus.
    """
    named = flatten(sent).get(CORPUS)
    fixed = fixed_assistant(policy, assistant)
    hosts = flatten(fixed[1].settings).get(CORPUS) if fixed else whom.defaults.get(CORPUS)
    if named in (None, hosts, _DEFAULTS[CORPUS]):  # forms send the default even if nobody chose it
        return
    if fixed is None or among(CORPUS, fixed[1].changeable):  # else settings_of_run refuses any other
        check_readable(str(named), whom)


def check_question_length(whom: Allowed, question: str) -> None:
    """Refuse a question that is longer than the policy allows."""
    if whom.most.question is not None:
        check_size(question, whom.most.question + 2, "The question", "Shorten it.")


def _of_fixed(name: str, assistant: FixedAssistant, whom: Allowed, sent: Mapping[str, Any]) -> dict[str, Any]:
    if not whom.is_meant(assistant):
        raise PolicyRefused(f"The assistant {name!r} is not allowed for you.")
    fixed = flatten(assistant.settings)
    changed = _changed(sent, {**_DEFAULTS, **whom.defaults, **fixed})
    for key in changed:
        if not among(key, assistant.changeable):
            raise PolicyRefused(
                f"The assistant {name!r} has fixed settings, and {key} is one. "
                f"{_offered(assistant.changeable, 'Changeable are')}"
            )
    if CORPUS in changed:
        _check_corpus(str(changed[CORPUS]), whom)
    return {**fixed, **_checked(whom, changed)}


def _of_client(whom: Allowed, sent: Mapping[str, Any]) -> dict[str, Any]:
    changed = _changed(sent, {**_DEFAULTS, **whom.defaults})
    for key in changed:
        own_rule = key == CORPUS or key in ROLES or key.startswith(_BUDGET)
        if not own_rule and not among(key, whom.settings):
            raise PolicyRefused(f"The setting {key} may not be chosen here. {_offered(whom.settings)}")
    corpus = changed.get(CORPUS) or whom.defaults.get(CORPUS) or only_corpus(whom) or _DEFAULTS[CORPUS]
    chosen = _checked(whom, changed)
    if CORPUS in changed or CORPUS not in whom.defaults:
        _check_corpus(str(corpus), whom)
    return {**chosen, CORPUS: corpus}


def _check_corpus(corpus: str, whom: Allowed) -> None:
    """Refuse a corpus that the policy does not grant, whether it exists or not, or that somebody else owns."""
    if may_read(corpus, whom):
        return
    if among(corpus, whom.corpora):
        raise CorpusNotFound(corpus, None)
    raise PolicyRefused(f"The corpus {corpus!r} is not allowed for you. {_offered(whom.corpora)}")


def _changed(sent: Mapping[str, Any], unchanged: Mapping[str, Any]) -> dict[str, Any]:
    """Settings that differ from those in force: forms send all of them."""
    known = set(known_keys())
    return {key: value for key, value in flatten(sent).items() if key in known and value != unchanged.get(key)}


def _checked(whom: Allowed, changed: dict[str, Any]) -> dict[str, Any]:
    """Check the choice of roles, models and web settings."""
    for role in (role for role in ROLES if role in changed):
        if not among(role, whom.roles):
            raise PolicyRefused(f"The model of the role {role} may not be chosen here. {_offered(whom.roles)}")
        _check_model(whom, str(changed[role]))
    if not whom.web:
        for key, offline in (("web.provider", ("corpus", "none", None)), ("web.reader", ("own",))):
            if changed.get(key, offline[0]) not in offline:
                raise PolicyRefused(f"{key} = {changed[key]!r}: you may not search the web here. {_GRANT}web")
    return changed


def _check_model(whom: Allowed, model: str) -> None:
    if model == OFFLINE:
        if whom.models is not None and not among(OFFLINE, whom.models):
            raise PolicyRefused(f"'offline' may not be chosen here. {_offered(whom.models)}")
        return
    name = parse_model_name(model)
    if whom.models is None:
        check_clients_may_name(name)
    elif not any(matches_model(name, pattern) for pattern in whom.models):
        raise PolicyRefused(f"The model {model!r} is not allowed for you. {_offered(whom.models)}")


def _settings(flat: Mapping[str, Any]) -> Settings:
    try:
        return Settings.model_validate(nest(flat))
    except ValidationError as error:
        first = error.errors()[0]
        raise PolicyRefused(f"{'.'.join(map(str, first['loc']))} cannot be used: {first['msg']}.") from error


def _under(settings: Settings, whom: Allowed) -> Settings:
    """Lower every ceiling of the budget to the host's."""
    budget = settings.budget
    lower = {name: _least(getattr(budget, name), getattr(whom.most, name)) for name in Budget.model_fields}
    return settings.model_copy(update={"budget": budget.model_copy(update=lower)})


def _least(asked: float | None, most: float | None) -> float | None:
    return most if asked is None else asked if most is None else min(asked, most)


def check_budget(whom: Allowed, sent: Mapping[str, Any]) -> None:
    """Refuse a ceiling above the host's, so that the client learns of it before the run.

    Raises:
        PolicyRefused: names the ceiling.
    """
    for name in Budget.model_fields:
        asked, most = flatten(sent).get(_BUDGET + name), getattr(whom.most, name)
        if isinstance(asked, (int, float)) and most is not None and asked > most:
            default = _DEFAULTS[_BUDGET + name]
            if asked != default:  # forms send defaults, which are lowered silently
                raise PolicyRefused(f"{_BUDGET}{name} = {asked!r} exceeds the limit of a run here: {most!r}.")


_GRANT = "The host of this server can grant it in the policy: "


def _offered(patterns: list[str], word: str = "Allowed are") -> str:
    shown = ", ".join(patterns[:_SHOWN]) + (", …" if len(patterns) > _SHOWN else "")
    return f"{word}: {shown or 'none'}."
