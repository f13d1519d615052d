"""Settings of a person's own page: the models that questions use, tried by one small request each.

Keys come from the environment only: the page names those that are set, and shows or stores none.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from backtrail.server.ui.forms import form_of, text
from backtrail.server.ui.pages import Handler, NoSuchPage, host_of, page
from backtrail.state.errors import BacktrailError
from backtrail.tools.access.serving import keys_of_providers
from backtrail.tools.deciders.probe_capabilities import probe
from backtrail.tools.deciders.protocol import DecisionFailed
from backtrail.tools.settings.store_models import (
    OFFLINE,
    ROLES,
    full_name,
    overridden_models,
    store_models,
    stored_models,
)


@dataclass(frozen=True)
class Tried:
    """Reply of a model to one request: the seconds that it took, or the error."""

    model: str
    seconds: float = 0.0
    error: str = ""


def _owner(request: Request) -> None:
    """Raise NoSuchPage unless the page is the visitor's own."""
    if not host_of(request).alone:
        raise NoSuchPage


async def settings(request: Request) -> Response:
    """Show the models of this home."""
    _owner(request)
    return await _form(request, await run_in_threadpool(stored_models), saved="saved" in request.query_params)


async def change(request: Request) -> Response:
    """Store the models, or try them."""
    _owner(request)
    async with form_of(request) as form:
        given = {role: text(form, role) for role in ROLES}
        url, trying = text(form, "url"), text(form, "action") == "try"
    try:
        models = {role: full_name(name, url) for role, name in given.items()}
        if not trying:
            await run_in_threadpool(store_models, models)
    except BacktrailError as error:
        return await _form(request, given, url, problem=str(error), status=422)
    if not trying:
        return RedirectResponse("/ui/settings?saved=1", 303)
    tried = [await _tried(model) for model in dict.fromkeys(models.values()) if model != OFFLINE]
    return await _form(request, given, url, tried=tried, nothing=not tried)


async def _tried(model: str) -> Tried:
    began = time.monotonic()
    try:
        await probe(model)
    except (BacktrailError, DecisionFailed) as error:
        return Tried(model, error=without_keys(f"{type(error).__name__}: {error}"))
    return Tried(model, time.monotonic() - began)


def without_keys(message: str) -> str:
    """Replace keys of the environment that a server repeats in its message."""
    for name in keys_of_providers():
        message = message.replace(os.environ[name].strip(), f"({name})")
    return message


async def _form(
    request: Request,
    given: Mapping[str, str],
    url: str = "",
    *,
    problem: str = "",
    tried: list[Tried] | None = None,
    nothing: bool = False,
    saved: bool = False,
    status: int = 200,
) -> Response:
    return await page(
        request, "settings.html", status,
        given=given, url=url, problem=problem, tried=tried or [], nothing=nothing, saved=saved,
        overridden=overridden_models(), keys=keys_of_providers(),
    )  # fmt: skip


HANDLERS: Mapping[tuple[str, str], Handler] = {("GET", "/ui/settings"): settings, ("POST", "/ui/settings"): change}
