"""The page as part of a LangGraph server, with the permissions of each key."""

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
from backtrail.server.ui.routes import ui_routes
from backtrail.server.ui.runs import run
from backtrail.state.settings import Settings
from backtrail.tools.access.corpora import claim, readable_corpora
from backtrail.tools.access.credentials import allowed_to
from backtrail.tools.access.policy.allowed import Allowed
from backtrail.tools.access.policy.document import Most
from backtrail.tools.access.records.ingests import note_ingest
from backtrail.tools.settings.context import check_context
from backtrail.tools.settings.keys import nest, parse_assignments


class HostedPages:
    """The page on a server for others, or for this machine where there are no keys; implements ``Host``."""

    alone = False

    async def engine(self, request: Request) -> HostedEngine:
        """The server itself, asked with the key of whoever asks."""
        return HostedEngine(await loopback_client(request))

    async def admit(self, request: Request) -> str | None:
        """The holder of the key, by the rules that every client of the server is under."""
        try:
            user = await user_of(dict(request.headers.raw))
        except Auth.exceptions.HTTPException:
            return None
        return str(user["identity"])

    def settings(self, named: Mapping[str, Any], assignments: Sequence[str]) -> Settings:
        """As a client's: neither the environment nor the settings file of the host count."""
        context = nest({**parse_assignments(assignments), **named})
        check_context(context)
        return Settings.model_validate(context)

    async def corpora(self, request: Request) -> list[str]:
        """Those that the policy lets them read, and their own."""
        return await asyncio.to_thread(lambda: list(readable_corpora(_whom(request))))

    async def may_ingest(self, request: Request) -> bool:
        """Whether the policy grants it."""
        return await asyncio.to_thread(lambda: _whom(request).ingest)

    async def most(self, request: Request) -> Most:
        """The policy's."""
        return await asyncio.to_thread(lambda: _whom(request).most)

    async def claim(self, request: Request, corpus: str) -> None:
        """Make it theirs, where it is nobody's."""
        closed = not await is_open()
        await asyncio.to_thread(lambda: claim(corpus, _whom(request), shared=False, closed=closed))

    async def ingest(self, request: Request, corpus: str) -> None:
        """Begin a run of the server that does it."""
        engine = await self.engine(request)
        await engine.begin_ingest(corpus)
        await asyncio.to_thread(note_ingest, corpus, "running")


def _whom(request: Request) -> Allowed:
    return allowed_to(visitor_of(request))


_PAGE = HostedPages()


def page_routes() -> list[Route]:
    """All routes of the page, made anew: LangGraph's server puts its own check of keys into those that it is given."""
    return ui_routes(_PAGE, signing.HANDLERS)


RUN = served_by(_PAGE, run)
"""What answers for a run at its other address."""
