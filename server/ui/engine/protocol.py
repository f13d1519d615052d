"""What the page asks of whatever carries out its runs."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from backtrail.state.settings import Settings


@dataclass(frozen=True)
class Asked:
    """A question with how it is to be answered. ``thread`` is the conversation that it goes on with, if any."""

    question: str
    method: str
    settings: Settings
    image: str | None = None
    thread: str | None = None


@dataclass(frozen=True)
class Moment:
    """Where a run stands while it is at work.

    ``values`` is its state so far, ``nodes`` are those at work, ``words`` what is written of its answer. ``error`` says
    why it ended early; a run that was stopped has none.
    """

    method: str
    settings: Settings
    values: Mapping[str, Any] = field(default_factory=dict)
    nodes: tuple[str, ...] = ()
    words: str = ""
    working: bool = True
    error: str = ""


class Engine(Protocol):
    """Carries out runs, each on a thread, and tells how they go. All of them are checkpointed."""

    async def ask(self, asked: Asked) -> str:
        """Begin a run and return its thread.

        Raises:
            BacktrailError: it cannot be begun, in words for whoever asked.
        """
        ...

    async def resume(self, thread: str, reply: Any = None) -> None:
        """Go on with a run that was stopped, or that asked something.

        Args:
            reply: what people decided, as ``state/chat/human_input.py`` reads it; None where nothing was asked.

        Raises:
            BacktrailError: there is nothing to go on with.
        """
        ...

    async def fork(self, thread: str, at: str, assignments: Sequence[str]) -> str:
        """Run again from a step or node, with settings changed (``key=value``), on a new thread, which is returned.

        Raises:
            BacktrailError: no such thread or step, or a setting that cannot be used.
        """
        ...

    async def stop(self, thread: str) -> None:
        """End the work on a thread; what was done stays, and can be gone on with. Nothing where nothing is at work."""
        ...

    async def moment(self, thread: str) -> Moment | None:
        """Where the run stands; None where this engine has nothing at work on the thread, and knows of no error."""
        ...

    def follow(self, thread: str) -> AsyncIterator[Moment]:
        """Each new moment of a run until it ends, beginning with the present one; none where nothing is at work."""
        ...
