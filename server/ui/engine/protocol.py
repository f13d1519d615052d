"""Protocol of engines, which execute the page's runs."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from backtrail.state.settings import Settings


@dataclass(frozen=True)
class Asked:
    """Question with method and settings. ``thread`` is the conversation that it continues, if any."""

    question: str
    method: str
    settings: Settings
    image: str | None = None
    thread: str | None = None


@dataclass(frozen=True)
class Moment:
    """State of a run in progress.

    ``values`` is its state so far, ``nodes`` are the active nodes, ``answer_text`` the answer so far. ``error``: why
    it failed; a stopped run has none, unless no step of it is stored.
    """

    method: str
    settings: Settings
    values: Mapping[str, Any] = field(default_factory=dict)
    nodes: tuple[str, ...] = ()
    answer_text: str = ""
    working: bool = True
    error: str = ""


class Engine(Protocol):
    """Executes checkpointed runs, each on a thread, and reports their progress."""

    async def ask(self, asked: Asked) -> str:
        """Start a run and return its thread.

        Raises:
            BacktrailError: the run cannot be started; the message is for the visitor.
        """
        ...

    async def resume(self, thread: str, reply: Any = None) -> None:
        """Resume a run that was stopped or waits for a reply.

        Args:
            reply: decision as in ``state/chat/human_input.py``; None if the run does not wait for one.

        Raises:
            BacktrailError: there is nothing to resume.
        """
        ...

    async def fork(self, thread: str, at: str, assignments: Sequence[str]) -> str:
        """Run again from a step or node with changed settings (``key=value``); return the new thread.

        Raises:
            BacktrailError: no such thread or step, or an invalid setting.
        """
        ...

    async def stop(self, thread: str) -> None:
        """Stop the run of a thread, if there is one; it can be resumed."""
        ...

    async def delete(self, thread: str, owner: str) -> None:
        """Stop and delete the runs of a thread of this owner, "" where runs have none; it cannot be undone."""
        ...

    async def moment(self, thread: str) -> Moment | None:
        """Return the current moment of a run; None without a running or failed run on the thread."""
        ...

    def follow(self, thread: str) -> AsyncIterator[Moment]:
        """Yield the current and each new moment of a run until it ends; nothing if none is running."""
        ...
