"""Admit runs by the policy's grants, quotas and rates.

``graphs/serving/policy_gate.py`` checks again when the run begins, which no route can bypass.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from contextvars import Context
from math import ceil
from typing import Any

from langgraph_sdk import Auth
from langgraph_sdk.errors import NotFoundError

from backtrail.graphs.methods import METHODS
from backtrail.graphs.serving.ingest import NAME as INGEST
from backtrail.server.internal_api import within
from backtrail.server.policy.refund_refused import note_admitted
from backtrail.server.validate_requests import asks_to_ingest
from backtrail.state.errors import BacktrailError, InputRefused
from backtrail.state.question_input import question_in, read_messages
from backtrail.tools.access.corpora import check_ingested
from backtrail.tools.access.credentials import allowed_to, credentials, policy_in_force
from backtrail.tools.access.policy.errors import PolicyRefused, QuotaReached
from backtrail.tools.access.policy.gate import (
    check_budget,
    check_corpus,
    check_question_length,
    fixed_assistant,
    settings_of_run,
)
from backtrail.tools.access.records.spending import admit_run
from backtrail.tools.corpus.errors import CorpusNotFound

FORBIDDEN, TOO_MANY, UNPROCESSABLE = 403, 429, 422
_OF_THE_SERVER: dict[str, str] = {}
"""Cache of the methods of the server's own assistants, which never change."""

_LOG = logging.getLogger(__name__)


LookUp = Callable[[str], Awaitable[Mapping[str, Any] | None]]
"""Look-up of an assistant by id: ``graph_id``, ``context`` and ``metadata``; None if there is none."""


async def on_langgraph(id_: str) -> Mapping[str, Any] | None:
    """Return an assistant of LangGraph's server, regardless of its owner."""
    try:
        # in an empty context: otherwise the server would ask as the current user
        return await asyncio.create_task(_held(id_), context=Context())
    except NotFoundError:
        return None


async def _held(id_: str) -> Any:
    return await within().assistants.get(id_)


async def admit(name: str, value: Mapping[str, Any], look_up: LookUp = on_langgraph) -> None:
    """Refuse a run that the requester may not start, or not now; else record it.

    Args:
        name: holder of the key; empty on a server without keys.
        value: the server's description of the new run.
        look_up: finds the run's assistant.

    Raises:
        HTTPException: 403 for forbidden choices, 422 for impossible ones, 429 with Retry-After
            over a quota or rate.
    """
    assistant = str(value.get("assistant_id") or "")
    method, own = await _assistant(assistant, look_up)
    try:
        await asyncio.to_thread(_admit, name, value, assistant, method, own)
    except QuotaReached as error:
        headers = {"Retry-After": str(ceil(error.wait))}
        raise Auth.exceptions.HTTPException(status_code=TOO_MANY, detail=str(error), headers=headers) from error
    except PolicyRefused as error:
        _LOG.info("Refused a run of %s: %s", name or "anybody", error)
        raise Auth.exceptions.HTTPException(status_code=FORBIDDEN, detail=str(error)) from error
    except BacktrailError as error:
        raise Auth.exceptions.HTTPException(status_code=UNPROCESSABLE, detail=str(error)) from error


def _admit(name: str, value: Mapping[str, Any], assistant: str, method: str, own: Mapping[str, Any]) -> None:
    kwargs = value.get("kwargs") or {}
    sent = {**own, **(kwargs.get("context") or (kwargs.get("config") or {}).get("configurable") or {})}
    whom, policy = allowed_to(name), policy_in_force()
    if method == INGEST:
        if not asks_to_ingest(kwargs.get("input")):
            raise InputRefused(f'The input of {INGEST!r} must be {{"corpus": NAME}}, a corpus with uploaded files.')
        check_ingested(kwargs["input"]["corpus"], whom, closed=not credentials().is_open())
    elif method or fixed_assistant(policy, assistant):
        check_corpus(policy, whom, assistant, sent)
        with suppress(CorpusNotFound):  # a missing default corpus: the run itself fails
            settings_of_run(policy, whom, method, assistant, sent)
        check_budget(whom, sent)
    sent_input = kwargs.get("input")
    if isinstance(sent_input, Mapping):
        messages = read_messages(sent_input["messages"]) if sent_input.get("messages") else []
        check_question_length(whom, question_in(sent_input.get("question"), messages))
    if run := value.get("run_id"):
        admit_run(str(run), whom)
        note_admitted(str(run))


async def _assistant(id_: str, look_up: LookUp) -> tuple[str, Mapping[str, Any]]:
    """Return an assistant's method and settings; empty if there is no such assistant."""
    if id_ in METHODS or id_ == INGEST:
        return id_, {}
    if id_ not in _OF_THE_SERVER:
        if (assistant := await look_up(id_)) is None:
            return "", {}
        if (assistant.get("metadata") or {}).get("created_by") != "system":
            return str(assistant["graph_id"]), assistant.get("context") or {}
        _OF_THE_SERVER[id_] = str(assistant["graph_id"])
    return _OF_THE_SERVER[id_], {}
