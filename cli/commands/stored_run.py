"""A run as its checkpoints remember it: method and settings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from langgraph.checkpoint.base import BaseCheckpointSaver

from backtrail.cli.commands.options import settings_from
from backtrail.cli.commands.run_graph import Run
from backtrail.state.decision import Role
from backtrail.state.settings import OFFLINE
from backtrail.tools.checkpoints.history import FORKED_AT, FORKED_FROM, find_thread, settings_of_run
from backtrail.tools.deciders.allowed import check_stored
from backtrail.tools.settings.keys import parse_assignments


async def stored_run(saver: BaseCheckpointSaver[str], thread: str, assignments: Sequence[str] = ()) -> Run:
    """The run on a thread, with some settings changed.

    Raises:
        SettingsError: no such thread, or a setting that cannot be used; or a client of the server began the run, with
            a model that is the host's to choose.
    """
    held = await find_thread(saver, thread)
    settings = settings_from(assignments, {}, base=settings_of_run(held.metadata))
    if held.by_server:
        changed = parse_assignments(assignments)
        named = {settings.model_for(role) for role in get_args(Role) if role not in changed}
        for model in sorted(named - {OFFLINE}):
            check_stored(model)
    origin = {key: held.metadata[key] for key in (FORKED_FROM, FORKED_AT) if key in held.metadata}
    return Run(held.id, held.method, settings, origin)
