"""Page on a LangGraph server, with the permissions of each key."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from langgraph_sdk import Auth
from starlette.requests import Request
from starlette.routing import Route

from backtrail.server.auth import is_open, user_of
from backtrail.server.own_api import loopback_client
from backtrail.server.ui import signing
from backtrail.server.ui.engine.hosted import HostedEngine
from backtrail.server.ui.pages import served_by, visitor_of
from backtrail.server.ui.routes import not_found, ui_routes
from backtrail.server.ui.runs import run
from backtrail.state.errors import BacktrailError
from backtrail.state.settings import Settings
from backtrail.tools.access.corpora import check_readable, check_writable, claim, readable_corpora
from backtrail.tools.access.credentials import allowed_to
from backtrail.tools.access.policy.allowed import Allowed
from backtrail.tools.access.policy.document import Most
from backtrail.tools.access.records.ingests import note_ingest
from backtrail.tools.settings.context import check_context
from backtrail.tools.settings.keys import nest, parse_assignments


class HostedPages:
    """Page of a LangGraph server, with or without keys; implements ``Host``."""

    alone = False

    async def engine(self, request: Request) -> HostedEngine:
        """Return an engine on the server with the visitor's key."""
        return HostedEngine(await loopback_client(request))

    async def admit(self, request: Request) -> str | None:
        """Return the holder of the key, as for every client of the server."""
        try:
            user = await user_of(dict(request.headers.raw))
        except Auth.exceptions.HTTPException:
            return None
        return str(user["identity"])

    def settings(self, named: Mapping[str, Any], assignments: Sequence[str]) -> Settings:
        """Return settings as for clients, without the host's environment and settings file."""
        context = nest({**parse_assignments(assignments), **named})
        check_context(context)
        return Settings.model_validate(context)

    async def corpora(self, request: Request) -> list[str]:
        """Return the visitor's own corpora and those that the policy allows."""
        return await asyncio.to_thread(lambda: list(readable_corpora(_whom(request))))

    async def may_ingest(self, request: Request) -> bool:
        """Return whether the policy allows uploads."""
        return await asyncio.to_thread(lambda: _whom(request).ingest)

    async def most(self, request: Request) -> Most:
        """Return the policy's limits."""
        return await asyncio.to_thread(lambda: _whom(request).most)

    async def may_change(self, request: Request, corpus: str) -> bool:
        """Return whether the policy allows uploads to the corpus and no other owns it."""
        closed = not await is_open()

        def check() -> bool:
            try:
                check_readable(corpus, _whom(request))
                check_writable(corpus, _whom(request), closed=closed)
            except BacktrailError:
                return False
            return True

        return await asyncio.to_thread(check)

    async def claim(self, request: Request, corpus: str) -> None:
        """Claim the corpus if it has no owner."""
        closed = not await is_open()
        await asyncio.to_thread(lambda: claim(corpus, _whom(request), shared=False, closed=closed))

    async def ingest(self, request: Request, corpus: str) -> None:
        """Start a run of the server that ingests the files."""
        engine = await self.engine(request)
        await engine.begin_ingest(corpus)
        await asyncio.to_thread(note_ingest, corpus, "running")


def _whom(request: Request) -> Allowed:
    return allowed_to(visitor_of(request))


_PAGE = HostedPages()


def page_routes() -> list[Route]:
    """Return new routes of the page: LangGraph's server adds its own key check to the routes it gets."""
    return ui_routes(_PAGE, signing.HANDLERS)


NOT_FOUND = not_found(_PAGE)
"""Exception handler for unknown addresses below ``/ui``."""

RUN = served_by(_PAGE, run)
"""Handler of a run's second address, ``/trace``."""
