"""Open a decider by the name of its model. Clients are imported, and connections opened, on first use.

Environment: see environment.py for keys and limits, allowed.py for who may name what, tools/local/options.py for
local models; BACKTRAIL_RECORD and BACKTRAIL_REPLAY (folders).
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from backtrail.state.variant import VariantName
from backtrail.tools.access.serving import serving
from backtrail.tools.deciders import environment
from backtrail.tools.deciders.allowed import check_allowed, check_clients_may_name
from backtrail.tools.deciders.capabilities import Effort
from backtrail.tools.deciders.lazy import LazyDecider
from backtrail.tools.deciders.model_name import ModelName, parse_model_name
from backtrail.tools.deciders.named_chat import NamedChat
from backtrail.tools.deciders.protocol import Decider
from backtrail.tools.deciders.providers import PROVIDERS
from backtrail.tools.deciders.recording.record import RecordingDecider
from backtrail.tools.deciders.recording.replay import RecordedModel, ReplayingDecider
from backtrail.tools.errors import SettingsError


def open_decider(
    model: str,
    *,
    temperature: float,
    variant: VariantName | None = None,
    effort: Effort | None = None,
    seed: int | None = None,
) -> Decider:
    """Return the decider of a model.

    Args:
        model: ``openai:gpt-5-mini``, ``openai-compatible:NAME@http://host:port/v1``, ``local:FOLDER`` or
            ``recorded:FOLDER``, or ``PROVIDER:MODEL`` of ``providers.PROVIDERS``, also with an address.
        temperature: sampling temperature; left out for models that take none.
        variant: variant of the run, stored in recordings; None outside of runs.
        effort: reasoning effort, if the model accepts one; None uses the model's default.
        seed: makes sampling repeatable, if the server supports it; None samples freely.

    Raises:
        SettingsError: unknown provider, a missing key, a model that is not allowed here, or an environment variable
            that is not a number. A model that clients of a server may not name is refused by the first decision.
    """
    name = parse_model_name(model)
    check_allowed(name)
    if name.provider == "recorded":
        return LazyDecider(model, _vetted(name, lambda: RecordedModel(Path(name.model), model)))
    replay, record = os.environ.get("BACKTRAIL_REPLAY"), os.environ.get("BACKTRAIL_RECORD")
    if replay:
        return ReplayingDecider(Path(replay), model)  # needs no key: it never makes a call
    if name.provider == "local":
        decider: Decider = _local_model(name, model, temperature)
    else:
        decider = _chat_model(name, model, temperature, effort, seed)
    return RecordingDecider(decider, Path(record), variant) if record else decider


def _chat_model(
    name: ModelName, shown_as: str, temperature: float, effort: Effort | None, seed: int | None
) -> LazyDecider:
    # Read now, so that a missing key is an error when the decider is opened, not in the middle of a run.
    chat = NamedChat(
        name.provider, shown_as, name.model, environment.base_url(name), environment.api_key(name),
        temperature if name.takes_temperature else None, not name.reasons_itself,
        environment.timeout(), environment.tries(), environment.limits(), effort, seed, environment.batched(),
        environment.bare_letters(),
    )  # fmt: skip

    def opened() -> Decider:
        if name.provider in PROVIDERS:
            if chat.batched:
                raise SettingsError(
                    f"{shown_as} does not support batches: BACKTRAIL_BATCH=1 is for openai: and openai-compatible: "
                    "models. Unset it."
                )
            from backtrail.tools.deciders.hosted_chat import open_hosted_chat  # slow to import

            return open_hosted_chat(chat)
        from backtrail.tools.deciders.openai_chat import open_openai_chat  # slow to import

        return open_openai_chat(chat)

    return LazyDecider(shown_as, _vetted(name, opened))


def _local_model(name: ModelName, shown_as: str, temperature: float) -> LazyDecider:
    from backtrail.tools.local.options import local_options

    options, limits = local_options(), environment.limits()
    timeout = environment.timeout(default=600.0)  # a CPU is slow, and requests wait for each other

    def opened() -> Decider:
        from backtrail.tools.local.decider import open_local_decider  # slow to import

        return open_local_decider(
            shown_as, Path(name.model), temperature=temperature, options=options, timeout=timeout, limits=limits
        )

    return LazyDecider(shown_as, _vetted(name, opened))


def _vetted(name: ModelName, open_one: Callable[[], Decider]) -> Callable[[], Decider]:
    """On a server, check on opening that clients may name the model. Not earlier, as the check may read a file."""

    def opened() -> Decider:
        if serving():
            check_clients_may_name(name)
        return open_one()

    return opened
