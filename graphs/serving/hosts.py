"""Configuration of the servers that host the graphs: LangGraph's own, and aegra."""

from __future__ import annotations

import importlib.util
from typing import Any

from backtrail.graphs.methods import METHODS

_SERVER = "backtrail.server"
_SWEEP = {"sweep_interval_minutes": 60}
_SECURITY: dict[str, Any] = {
    "securitySchemes": {
        "bearer": {"type": "http", "scheme": "bearer"},
        "key": {"type": "apiKey", "in": "header", "name": "x-api-key"},
    },
    "security": [{"bearer": []}, {"key": []}, {}],
}


def graphs() -> dict[str, dict[str, str]]:
    """Return every served graph with its path and description: the methods, and the ingest of uploads."""
    served = {name: {"path": method.graph, "description": method.description} for name, method in METHODS.items()}
    # by name: importing the graph would take a quarter of the time in which a server starts
    ingest = {"path": f"{__package__}.ingest:graph", "description": "Ingests the uploaded files of a corpus."}
    return {**served, "ingest": ingest}


def langgraph_config() -> dict[str, Any]:
    """Return the content of ``langgraph.json``, wherever Backtrail is installed."""
    return {
        "dependencies": ["."],
        "graphs": graphs(),
        "checkpointer": {
            "path": "backtrail.tools.checkpoints.open.server_checkpoints",
            "ttl": {"strategy": "delete", **_SWEEP},
        },
        "store": {"ttl": {"refresh_on_read": True, **_SWEEP}},
        "auth": {"path": f"{_SERVER}.auth:auth", "disable_studio_auth": True, "openapi": _SECURITY},
        "http": {"app": f"{_SERVER}.app:app", "enable_custom_route_auth": True, "disable_ui": True},
    }


def aegra_config() -> dict[str, Any]:
    """Return the content of ``aegra.json``."""
    return {
        "graphs": {
            name: {**one, "path": f"{_file(one['path'].partition(':')[0])}:graph"} for name, one in graphs().items()
        },
        "auth": {"path": f"{_SERVER}.aegra.auth:auth", "disable_studio_auth": True},
        "http": {"app": f"{_SERVER}.aegra.app:app", "enable_custom_route_auth": True},
        "checkpointer": {"durability": "sync"},  # store each step before the next one costs anything
    }


def _file(module: str) -> str:
    found = importlib.util.find_spec(module)
    if found is None or found.origin is None:
        raise ModuleNotFoundError(module)
    return found.origin
