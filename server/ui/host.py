"""Where the page is served: for one person on their own machine, or as part of a LangGraph server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from starlette.requests import Request

from backtrail.server.ui.engine.protocol import Engine
from backtrail.state.settings import Settings
from backtrail.tools.access.policy.document import Most


class Host(Protocol):
    """What differs between the two. Requests that reach it were let in already."""

    alone: bool
    """Whether the page is the user's own: then models and settings are the user's to choose, as on the command line."""

    async def engine(self, request: Request) -> Engine:
        """What carries out the runs of whoever asks."""
        ...

    async def admit(self, request: Request) -> str | None:
        """The name under which whoever asks is signed in; empty where nobody has to; None: they have to, first."""
        ...

    def settings(self, named: Mapping[str, Any], assignments: Sequence[str]) -> Settings:
        """The settings of a run: values by dotted key, over ``key=value``. SettingsError for what cannot be used."""
        ...

    async def corpora(self, request: Request) -> list[str]:
        """Corpora that whoever asks may read, also those into which nothing was ingested yet."""
        ...

    async def may_ingest(self, request: Request) -> bool:
        """Whether whoever asks may bring files into corpora."""
        ...

    async def most(self, request: Request) -> Most:
        """The ceilings of what whoever asks may send."""
        ...

    async def claim(self, request: Request, corpus: str) -> None:
        """Make sure that files may be brought into a corpus by whoever asks.

        Raises:
            BacktrailError: the name cannot be used, or not by them.
        """
        ...

    async def ingest(self, request: Request, corpus: str) -> None:
        """Begin to ingest the files that were brought. How far it is stands in ``tools.access.records.ingests``."""
        ...
