"""Backtrail's routes for aegra: a FastAPI app to which aegra adds its own routes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI  # pyright: ignore[reportMissingImports] - installed with aegra
from starlette.routing import Route

from backtrail.server.aegra import mcp
from backtrail.server.aegra.host_assistants import keep_assistants
from backtrail.server.app import ROUTES
from backtrail.server.auth import is_open
from backtrail.server.metrics import observe_runs
from backtrail.server.middleware import Gate
from backtrail.server.paths import without_paths
from backtrail.server.policy.reload import following_policy
from backtrail.state.errors import filter_error_texts
from backtrail.tools.checkpoints.postgres import patch_aegra


@asynccontextmanager
async def _start(_app: FastAPI) -> AsyncIterator[None]:
    """Read keys and policy before the first request, when aegra's database is already open."""
    await is_open()
    observe_runs()
    with filter_error_texts(without_paths):
        async with following_policy(keep_assistants):
            yield


patch_aegra()
app = FastAPI(title="Backtrail", lifespan=_start)
app.add_middleware(Gate)
for _route in ROUTES:
    if isinstance(_route, Route):  # aegra requires keys only on FastAPI's own routes
        app.add_api_route(
            _route.path, _route.endpoint, methods=sorted(_route.methods or {"GET"}), include_in_schema=False,
            response_model=None,
        )  # fmt: skip
    else:
        app.routes.append(_route)
for _path in mcp.PATHS:
    app.add_api_route(_path, mcp.mcp, methods=["GET", "POST", "DELETE"], include_in_schema=False, response_model=None)
