"""Run a method on a question, with the user's settings and checkpoints."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from backtrail.cli.commands.run_graph import Graph, Run
    from backtrail.tools.toolbox import Toolbox


def run_of(corpus: str, method: str, model: str | None, thread: str | None, settings: Mapping[str, Any]) -> Run:
    """Create a run from its method and settings.

    Args:
        method: its name, with a variant other than ``ours`` after a colon: "fif:published".
        settings: by dotted name; they override the environment and settings.toml: ``{"k": 5, "budget.usd": 0.1}``.

    Raises:
        SettingsError: an unknown method, setting or model, or a value out of bounds.
    """
    from backtrail.cli.commands.options import settings_from
    from backtrail.cli.commands.run_graph import Run
    from backtrail.graphs.methods import find_method
    from backtrail.state.variant import from_label
    from backtrail.tools.errors import SettingsError

    try:
        name, variant = from_label(method)
    except ValueError as error:
        raise SettingsError(str(error)) from error
    find_method(name)
    values = {**settings, "corpus": corpus, **({"variant": variant} if variant else {})}
    return Run(thread or str(uuid.uuid4()), name, settings_from((), values, model=model))


async def stored(thread: str) -> Run:
    """Load the run of a thread with its method and settings.

    Raises:
        SettingsError: there is no such thread.
    """
    from backtrail.cli.commands.stored_run import stored_run
    from backtrail.tools.checkpoints.open import open_checkpoints

    async with open_checkpoints() as saver:
        return await stored_run(saver, thread)


def input_of(question: str, image: str | PathLike[str] | None) -> dict[str, Any]:
    """Return the input of a run; the picture is checked, stored and named by its SHA-256.

    Raises:
        InputRefused: no question, or one that is too long.
        BacktrailError: the picture cannot be read.
    """
    from backtrail.ingest.store_picture import store_picture
    from backtrail.state.question_input import check_input

    check_input({"question": question, "image": str(image or "")})
    return {"question": question, "image": store_picture(Path(image)) if image else None}


@asynccontextmanager
async def opened(run: Run, toolbox: Toolbox) -> AsyncIterator[Graph]:
    """Open the graph of a run with the user's checkpoints after checking corpus and models."""
    import asyncio

    from backtrail.cli.commands.run_graph import check_dependencies, compiled
    from backtrail.tools.checkpoints.open import open_checkpoints

    async with open_checkpoints() as saver:
        graph = compiled(run, toolbox, saver)
        await asyncio.to_thread(check_dependencies, run, toolbox)
        yield graph


def config_of(run: Run) -> Any:
    """Return thread and metadata of a run as LangGraph's config."""
    from backtrail.tools.checkpoints.history import run_config

    return run_config(run.thread, run.method, run.settings, run.origin)
