"""The shared connection of this process to Ray. An existing connection is not closed."""

from __future__ import annotations

import importlib
import os
import threading
import warnings
from typing import Any

from backtrail.tools.errors import DependencyMissing, SettingsError
from backtrail.tools.workers.errors import EngineUnavailable

LOCAL, HERE, _CLUSTER = "local", "ray", "ray://"
ENGINES = (LOCAL, HERE, "ray://HOST:PORT")
_ADDRESS = "RAY_ADDRESS"
_lock = threading.Lock()
_users = 0
_ours = False


def check_engine(name: str) -> None:
    """Refuse an unknown engine, or one that is not installed.

    Raises:
        SettingsError, DependencyMissing: as they say.
    """
    if name == LOCAL:
        return
    if name != HERE and not (name.startswith(_CLUSTER) and len(name) > len(_CLUSTER)):
        raise SettingsError(f"There is no engine {name!r}. Use {', '.join(ENGINES)}.")
    open_ray()


def open_ray() -> Any:
    """The package ``ray``.

    Raises:
        DependencyMissing: it is not installed.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    try:
        return importlib.import_module("ray")
    except ModuleNotFoundError as error:
        raise DependencyMissing("ray", "ray") from error


def join(engine: str) -> Any:
    """Connect to Ray, if this process is not connected yet; ``leave`` has to follow. Returns the package.

    Raises:
        EngineUnavailable: there is no cluster, or none of the same versions.
    """
    global _users, _ours
    ray = open_ray()
    with _lock:
        if not ray.is_initialized():
            _connect(ray, engine)
            _ours = True
        _users += 1
    return ray


def leave() -> None:
    """Release the connection; the last user stops a local Ray or disconnects from the cluster."""
    global _users, _ours
    with _lock:
        _users -= 1
        if not _users and _ours:
            open_ray().shutdown()
            _ours = False


def is_of_this_machine(engine: str) -> bool:
    """Whether the copies run on this machine, with its home and environment.

    With RAY_ADDRESS, which Ray sets for jobs, "ray" is that cluster.
    """
    return engine == HERE and not os.environ.get(_ADDRESS)


def _address(engine: str) -> str:
    """Address of the cluster; empty for one started here."""
    return os.environ.get(_ADDRESS, "") if engine == HERE else engine


def _connect(ray: Any, engine: str) -> None:
    # a node with a single processor may hang silently, so at least two are configured
    here = {"num_cpus": max(2, os.cpu_count() or 2), "include_dashboard": False}
    options = here if is_of_this_machine(engine) else {"address": _address(engine)}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # about a missing server, which is also raised
            ray.init(log_to_driver=False, logging_level="ERROR", **options)
    except Exception as error:  # Ray raises no specific type for a node that does not start in time
        raise EngineUnavailable(
            f"Ray at {_address(engine) or engine} cannot be used ({first_line(error)}). Is the cluster running, with "
            "the same versions of Python and Ray? For one that needs a token, set RAY_AUTH_MODE=token, and "
            "the token in RAY_AUTH_TOKEN or ~/.ray/auth_token. Nothing was changed."
        ) from error


def first_line(error: BaseException) -> str:
    """The first line of an error's message."""
    lines = str(error).strip().splitlines()
    return lines[0][:300] if lines else type(error).__name__
