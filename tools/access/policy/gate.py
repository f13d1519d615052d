"""The one gate between what a client asks for and what runs: it gives the settings of a run, or refuses it.

It is passed twice, when a run is to be made and when it begins. In between an assistant, a cron or a thread may have
added settings of its own, and the policy may have changed.
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
_UNMOVED = flatten(Settings().model_dump(mode="json"))


def assistant_id(name: str) -> str:
    """The id of a fixed assistant, the same on every server."""
    return str(uuid.uuid5(_ASSISTANTS, name))


def fixed_assistant(policy: Policy | None, id_: str) -> tuple[str, FixedAssistant] | None:
    """The fixed assistant of that id, with its name."""
    held = policy.assistants.items() if policy else ()
    return next(((name, one) for name, one in held if id_ in (name, assistant_id(name))), None)


def settings_of_run(
    policy: Policy | None, whom: Allowed, method: str, assistant: str, sent: Mapping[str, Any]
) -> Settings:
    """The settings that a run has: what was sent, over the host's defaults, under the host's ceilings.

    Args:
        sent: settings, nested, as a client chose them; those that the schema does not know are not looked at here.

    Raises:
        PolicyRefused: something of it may not be chosen.
        CorpusNotFound: the corpus is another's.
        SettingsError: a model that clients of this server may not name.
    """
    if fixed := fixed_assistant(policy, assistant):
        chosen = _of_fixed(*fixed, whom, sent)
    else:
        if not among(method, whom.methods):
            raise PolicyRefused(f"The method {method!r} is not for you here. {_offered(whom.methods)}")
        chosen = _of_client(whom, sent)
    return _under(_settings({**whom.defaults, **chosen}), whom)


def check_corpus(policy: Policy | None, whom: Allowed, assistant: str, sent: Mapping[str, Any]) -> None:
    """Refuse a run about a corpus that its client may not read, in the same way as about one that does not exist.

    Called before ``settings_of_run``: whatever else is wrong with the settings then tells nothing about the corpus.

    Raises:
        CorpusNotFound: lists the corpora that the client may read.
        SettingsError: what was sent can be no corpus's name.
    """
    named = flatten(sent).get(CORPUS)
    fixed = fixed_assistant(policy, assistant)
    hosts = flatten(fixed[1].settings).get(CORPUS) if fixed else whom.defaults.get(CORPUS)
    if named in (None, hosts, _UNMOVED[CORPUS]):  # forms send the default without anybody having chosen it
        return
    if fixed is None or among(CORPUS, fixed[1].free):  # else no other may be named, whichever it is
        check_readable(str(named), whom)


def check_question_length(whom: Allowed, question: str) -> None:
    """Refuse a question that is longer than the host lets this person ask."""
    if whom.most.question is not None:
        check_size(question, whom.most.question + 2, "The question", "Shorten it.")


def _of_fixed(name: str, assistant: FixedAssistant, whom: Allowed, sent: Mapping[str, Any]) -> dict[str, Any]:
    if not whom.is_meant(assistant):
        raise PolicyRefused(f"The assistant {name!r} is not for you.")
    held = flatten(assistant.settings)
    moved = _moved(sent, {**_UNMOVED, **whom.defaults, **held})
    for key in moved:
        if not among(key, assistant.free):
            raise PolicyRefused(
                f"The assistant {name!r} has fixed settings, and {key} is one. {_offered(assistant.free, 'Free are')}"
            )
    if CORPUS in moved:
        _check_corpus(str(moved[CORPUS]), whom)
    return {**held, **_checked(whom, moved)}


def _of_client(whom: Allowed, sent: Mapping[str, Any]) -> dict[str, Any]:
    moved = _moved(sent, {**_UNMOVED, **whom.defaults})
    for key in moved:
        own_rule = key == CORPUS or key in ROLES or key.startswith(_BUDGET)
        if not own_rule and not among(key, whom.settings):
            raise PolicyRefused(f"The setting {key} may not be chosen here. {_offered(whom.settings)}")
    corpus = moved.get(CORPUS) or whom.defaults.get(CORPUS) or only_corpus(whom) or _UNMOVED[CORPUS]
    chosen = _checked(whom, moved)
    if CORPUS in moved or CORPUS not in whom.defaults:
        _check_corpus(str(corpus), whom)
    return {**chosen, CORPUS: corpus}


def _check_corpus(corpus: str, whom: Allowed) -> None:
    """Refuse what the policy does not grant, whether it exists or not; of the rest, what is another's."""
    if may_read(corpus, whom):
        return
    if among(corpus, whom.corpora):
        raise CorpusNotFound(corpus, None)
    raise PolicyRefused(f"The corpus {corpus!r} is not for you here. {_offered(whom.corpora)}")


def _moved(sent: Mapping[str, Any], unmoved: Mapping[str, Any]) -> dict[str, Any]:
    """Settings that differ from what they are anyway: forms send all of them."""
    known = set(known_keys())
    return {key: value for key, value in flatten(sent).items() if key in known and value != unmoved.get(key)}


def _checked(whom: Allowed, moved: dict[str, Any]) -> dict[str, Any]:
    """Roles, models and the web, wherever they were chosen."""
    for role in (role for role in ROLES if role in moved):
        if not among(role, whom.roles):
            raise PolicyRefused(f"The model of the role {role} may not be chosen here. {_offered(whom.roles)}")
        _check_model(whom, str(moved[role]))
    if not whom.web:
        for key, offline in (("web.provider", ("corpus", "none", None)), ("web.reader", ("own",))):
            if moved.get(key, offline[0]) not in offline:
                raise PolicyRefused(f"{key} = {moved[key]!r}: the web is not searched for you here. {_GRANT}web")
    return moved


def _check_model(whom: Allowed, model: str) -> None:
    if model == OFFLINE:
        if whom.models is not None and not among(OFFLINE, whom.models):
            raise PolicyRefused(f"'offline' may not be chosen here. {_offered(whom.models)}")
        return
    name = parse_model_name(model)
    if whom.models is None:
        check_clients_may_name(name)
    elif not any(matches_model(name, pattern) for pattern in whom.models):
        raise PolicyRefused(f"The model {model!r} is not for you here. {_offered(whom.models)}")


def _settings(flat: Mapping[str, Any]) -> Settings:
    try:
        return Settings.model_validate(nest(flat))
    except ValidationError as error:
        first = error.errors()[0]
        raise PolicyRefused(f"{'.'.join(map(str, first['loc']))} cannot be used: {first['msg']}.") from error


def _under(settings: Settings, whom: Allowed) -> Settings:
    """Every ceiling of the budget no higher than the host's."""
    budget = settings.budget
    lower = {name: _least(getattr(budget, name), getattr(whom.most, name)) for name in Budget.model_fields}
    return settings.model_copy(update={"budget": budget.model_copy(update=lower)})


def _least(asked: float | None, most: float | None) -> float | None:
    return most if asked is None else asked if most is None else min(asked, most)


def check_budget(whom: Allowed, sent: Mapping[str, Any]) -> None:
    """Refuse a ceiling above the host's, so that whoever asks learns of it before the run.

    Raises:
        PolicyRefused: names the ceiling.
    """
    for name in Budget.model_fields:
        asked, most = flatten(sent).get(_BUDGET + name), getattr(whom.most, name)
        if isinstance(asked, (int, float)) and most is not None and asked > most:
            default = _UNMOVED[_BUDGET + name]
            if asked != default:  # forms send defaults; they are lowered without a word
                raise PolicyRefused(f"{_BUDGET}{name} = {asked!r} is above what a run may spend here: {most!r}.")


_GRANT = "Whoever hosts this server can grant it in the policy: "


def _offered(patterns: list[str], word: str = "Allowed are") -> str:
    shown = ", ".join(patterns[:_SHOWN]) + (", …" if len(patterns) > _SHOWN else "")
    return f"{word}: {shown or 'none'}."
