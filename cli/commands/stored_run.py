"""Load the method and settings of a run from its checkpoints."""

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
    """Return the run of a thread, with some settings changed.

    Raises:
        SettingsError: no such thread, an invalid setting, or a run that a client of the server started with a model
            that only the host may choose.
    """
    stored = await find_thread(saver, thread)
    settings = settings_from(assignments, {}, base=settings_of_run(stored.metadata))
    if stored.by_server:
        changed = parse_assignments(assignments)
        named = {settings.model_for(role) for role in get_args(Role) if role not in changed}
        for model in sorted(named - {OFFLINE}):
            check_stored(model)
    origin = {key: stored.metadata[key] for key in (FORKED_FROM, FORKED_AT) if key in stored.metadata}
    return Run(stored.id, stored.method, settings, origin)
