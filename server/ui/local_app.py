"""Page as a separate application for one person: ``backtrail ui``.

It answers only this machine, and refuses requests with another Host (DNS rebinding) or from other sites' pages.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from backtrail.cli.commands.options import settings_from
from backtrail.graphs.serving.ingest import graph
from backtrail.server.blobs import blob
from backtrail.server.host_check import foreign_host
from backtrail.server.request_body import RequestBodyTooLarge, bounded_stream
from backtrail.server.ui.engine.local import LocalEngine
from backtrail.server.ui.engine.protocol import Engine
from backtrail.server.ui.routes import not_found, ui_routes
from backtrail.state.limits import limits
from backtrail.state.settings import Settings
from backtrail.tools.access.policy.document import Most
from backtrail.tools.access.records.ingests import note_ingest
from backtrail.tools.corpus.listing import list_corpora
from backtrail.tools.errors import BacktrailError, SettingsError
from backtrail.tools.home import corpus_folder
from backtrail.tools.toolbox import Toolbox
from backtrail.tools.uploads.files import corpora_with_files

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send


_log = logging.getLogger(__name__)


class LocalPages:
    """Page of one person; implements ``Host``."""

    alone = True

    def __init__(self, toolbox: Toolbox | None = None) -> None:
        self._engine = LocalEngine(toolbox)
        self._ingests: dict[str, asyncio.Task[None]] = {}

    async def engine(self, request: Request) -> Engine:
        """Return the engine of this process."""
        return self._engine

    async def admit(self, request: Request) -> str:
        """Return an empty name: no sign-in is needed."""
        return ""

    def settings(self, named: Mapping[str, Any], assignments: Sequence[str]) -> Settings:
        """Return settings as on the command line, over the environment and the settings file."""
        return settings_from(assignments, dict(named))

    async def corpora(self, request: Request) -> list[str]:
        """Return all corpora, including those with uploads only."""
        return await asyncio.to_thread(lambda: sorted({*list_corpora(), *corpora_with_files()}))

    async def may_ingest(self, request: Request) -> bool:
        """Return True: the corpora are the user's own."""
        return True

    async def most(self, request: Request) -> Most:
        """Return the default limits: the user is the host."""
        return Most()

    async def may_change(self, request: Request, corpus: str) -> bool:
        """Return True: the corpora are the user's own."""
        return True

    async def claim(self, request: Request, corpus: str) -> None:
        """Check that the name is valid."""
        corpus_folder(corpus)

    async def ingest(self, request: Request, corpus: str) -> None:
        """Start an ingest, one at a time for each corpus."""
        before = self._ingests.get(corpus)
        if before is not None and not before.done():
            raise SettingsError(f"The corpus {corpus!r} is being ingested. Wait until that has finished.")
        await asyncio.to_thread(note_ingest, corpus, "running")
        self._ingests[corpus] = asyncio.create_task(self._run_ingest(corpus), name=f"ingest {corpus}")

    async def _run_ingest(self, corpus: str) -> None:
        try:
            await graph.ainvoke({"corpus": corpus})
        except BacktrailError as error:
            _log.warning("%s", error)  # the graph has recorded it for the page
        except asyncio.CancelledError:
            await asyncio.to_thread(note_ingest, corpus, "failed", result="The page was closed: upload again.")
            raise
        except Exception as error:  # noqa: BLE001 - every error is shown on the page
            _log.exception("The ingest of %s failed", corpus)
            await asyncio.to_thread(note_ingest, corpus, "failed", result=f"{type(error).__name__}: {error}")

    async def close(self) -> None:
        """Stop all ingests and runs."""
        for ingest in self._ingests.values():
            ingest.cancel()
        await asyncio.gather(*self._ingests.values(), return_exceptions=True)
        await self._engine.close()


class LocalHostCheck:
    """Middleware that refuses requests from elsewhere and requests over the size limit."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, unless it is from elsewhere or too large."""
        if scope["type"] == "http":
            if whom := foreign_host(scope):
                await PlainTextResponse(f"This page answers only {whom}.", 403)(scope, receive, send)
                return
            receive = bounded_stream(receive, limits().uploads)
        try:
            await self._app(scope, receive, send)
        except RequestBodyTooLarge as error:
            await error.response()(scope, receive, send)


async def _to_the_page(request: Request) -> Response:
    return RedirectResponse("/ui")


def app(toolbox: Toolbox | None = None) -> Starlette:
    """Create the application. Runs interrupted by its end can be resumed."""
    host = LocalPages(toolbox)

    @asynccontextmanager
    async def open_while_served(_app: Starlette) -> AsyncIterator[None]:
        yield
        await host.close()

    return Starlette(
        routes=[Route("/", _to_the_page), Route("/blobs/{sha256}", blob), *ui_routes(host)],
        middleware=[Middleware(LocalHostCheck)],
        exception_handlers=not_found(host),
        lifespan=open_while_served,
    )
