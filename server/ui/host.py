"""Protocol of the page's hosts: one person's machine, or a LangGraph server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from starlette.requests import Request

from backtrail.server.ui.engine.protocol import Engine
from backtrail.state.settings import Settings
from backtrail.tools.access.policy.document import Most


class Host(Protocol):
    """Differences between hosts. Requests are already admitted."""

    alone: bool
    """Whether the page is the user's own, who may then choose all models and settings, as on the command line."""

    async def engine(self, request: Request) -> Engine:
        """Return the engine of the visitor's runs."""
        ...

    async def admit(self, request: Request) -> str | None:
        """Return the visitor's name; empty if no sign-in is needed; None if it is needed first."""
        ...

    def settings(self, named: Mapping[str, Any], assignments: Sequence[str]) -> Settings:
        """Return the settings of a run: values by dotted key override ``key=value``. Raises SettingsError."""
        ...

    async def corpora(self, request: Request) -> list[str]:
        """Return the corpora that the visitor may read, including those with uploads only."""
        ...

    async def may_ingest(self, request: Request) -> bool:
        """Return whether the visitor may upload files."""
        ...

    async def most(self, request: Request) -> Most:
        """Return the limits of the visitor's uploads."""
        ...

    async def may_change(self, request: Request, corpus: str) -> bool:
        """Return whether the visitor may delete a corpus and its documents."""
        ...

    async def claim(self, request: Request, corpus: str) -> None:
        """Check that the visitor may upload files to a corpus, and claim a new one.

        Raises:
            BacktrailError: the name is invalid, or the corpus is another's.
        """
        ...

    async def ingest(self, request: Request, corpus: str) -> None:
        """Start the ingest of uploaded files. ``tools.access.records.ingests`` has its progress."""
        ...
