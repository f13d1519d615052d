"""backtrail serve: one command for a server."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

READY = "BACKTRAIL_SAYS_READY"
"""Environment variable: what the server says once it answers (``server/app.py``)."""

URL, DATABASE, REDIS = "BACKTRAIL_CHECKPOINTS_URL", "DATABASE_URL", "REDIS_URL"
TAKEN = 100
"""Runs that each worker of a server takes from its queue: several keys' worth, of which so many are at work as there
are turns (``tools/access/run_slots.py``; ours)."""
Host = Literal["auto", "aegra", "langgraph"]


def serve(
    on: Annotated[
        Host, typer.Option("--on", help="Which server: aegra (Postgres) or LangGraph's for development; auto chooses.")
    ] = "auto",
    address: Annotated[str, typer.Option("--host", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port to listen on.")] = 8123,
    processes: Annotated[int, typer.Option(min=1, max=64, help="Processes of aegra; more than one need Redis.")] = 1,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Show all that LangGraph's server logs; LOG_LEVEL says how much.")
    ] = False,
) -> None:
    """Serve every method to others until it is stopped (Ctrl-C).

    aegra is taken where it is installed and DATABASE_URL or BACKTRAIL_CHECKPOINTS_URL names a Postgres. With REDIS_URL
    its runs are queued there, and one whose process died is taken up by another. Without a Postgres LangGraph's server
    for development runs, for one machine. Both are free.
    """
    from backtrail.cli.show.console import err
    from backtrail.tools.access.policy.file import read_policy

    read_policy()  # said now rather than in the log of a server that does not start
    url = os.environ.get(DATABASE) or os.environ.get(URL) or ""
    chosen = _chosen(on, url, processes)
    _check_free(address, port)
    folder = _folder()
    if chosen == "aegra":
        command, variables = _aegra(folder, url, address, port, processes)
    else:
        command, variables = _langgraph(folder, address, port, verbose=verbose or "LOG_LEVEL" in os.environ)
    if chosen == "aegra":
        from backtrail.tools.checkpoints.postgres import make_tables_of_aegra

        make_tables_of_aegra(url)
    err.print(f"[dim]Backtrail on {chosen}, http://{address}:{port} (a page to ask: /ui)[/]", soft_wrap=True)
    sys.stderr.flush()
    os.chdir(folder)
    if sys.platform == "win32":
        raise typer.Exit(subprocess.call(command, env={**os.environ, **variables}))
    os.execvpe(command[0], command, {**os.environ, **variables})  # signals reach the server itself


def _chosen(on: Host, url: str, processes: int) -> str:
    """Which server it is to be, once it is sure that it can run.

    Raises:
        SettingsError: with what is missing.
    """
    from backtrail.tools.errors import DependencyMissing, SettingsError

    postgres = url.startswith(("postgres://", "postgresql://"))
    has_aegra = importlib.util.find_spec("aegra_api") is not None
    chosen = on if on != "auto" else "aegra" if has_aegra and postgres else "langgraph"
    if chosen == "aegra":
        if not has_aegra:
            raise DependencyMissing("aegra_api", "aegra")
        if not postgres:
            raise SettingsError(f"aegra needs Postgres: set {DATABASE}=postgresql://user:password@host/database.")
        if processes > 1 and not os.environ.get(REDIS):
            raise SettingsError(f"{processes} processes share their runs by Redis: set {REDIS}=redis://host:6379/0.")
    elif shutil.which("langgraph", path=_programs()) is None:
        raise DependencyMissing("langgraph_cli", "server")
    elif processes > 1:
        raise SettingsError("LangGraph's server for development is one process; several take aegra (--on aegra).")
    return chosen


def _check_free(address: str, port: int) -> None:
    """LangGraph's server would take another port without a word.

    Raises:
        SettingsError: nothing can listen there.
    """
    from backtrail.tools.errors import SettingsError

    try:
        socket.create_server((address, port), family=socket.AF_INET6 if ":" in address else socket.AF_INET).close()
    except (OSError, OverflowError) as error:
        said = os.strerror(error.errno) if isinstance(error, OSError) and error.errno else str(error)
        raise SettingsError(f"Port {port} of {address} cannot be used: {said}. Give another: --port NUMBER.") from error


def _folder() -> Path:
    from backtrail.tools.home import home

    folder = home() / "serve"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _aegra(folder: Path, url: str, address: str, port: int, processes: int) -> tuple[list[str], dict[str, str]]:
    from backtrail.graphs.serving.hosts import aegra_config

    config = _written(folder / "aegra.json", aegra_config())
    redis = os.environ.get(REDIS, "")
    variables = {
        "AEGRA_CONFIG": str(config),
        DATABASE: url,
        URL: url,
        "AUTH_TYPE": "custom",
        "ENV_MODE": os.environ.get("ENV_MODE", "PRODUCTION"),
        "LANGGRAPH_STRICT_MSGPACK": "true",
        "N_JOBS_PER_WORKER": os.environ.get("N_JOBS_PER_WORKER", str(TAKEN)),
        "PROMETHEUS_MULTIPROC_DIR": str(_emptied(folder / f"figures-{port}")),
        **({"REDIS_BROKER_ENABLED": "true", REDIS: redis} if redis else {}),
    }
    where = ["--host", address, "--port", str(port), "--workers", str(processes)]
    # a process that is busy for a while is not dead; by default it is killed after five seconds
    where += ["--timeout-worker-healthcheck", "60"]
    return [sys.executable, "-m", "uvicorn", "aegra_api.main:app", *where, "--no-access-log"], variables


def _langgraph(folder: Path, address: str, port: int, *, verbose: bool) -> tuple[list[str], dict[str, str]]:
    from backtrail.graphs.serving.hosts import langgraph_config

    config = _written(folder / "langgraph.json", langgraph_config())
    program = shutil.which("langgraph", path=_programs()) or "langgraph"
    where = ["--host", address, "--port", str(port), "--config", str(config)]
    how = ["--no-browser", "--no-reload", "--n-jobs-per-worker", str(TAKEN)]
    variables = {
        "LANGGRAPH_CLI_NO_ANALYTICS": "1",
        "LANGGRAPH_NO_VERSION_CHECK": "true",  # it would ask PyPI
        "LANGGRAPH_STRICT_MSGPACK": "true",
    }
    if verbose:
        return [program, "dev", *where, *how], variables
    quiet = [
        sys.executable,
        "-m",
        "backtrail.server.langgraph_dev",
        "dev",
        *where,
        *how,
        "--server-log-level",
        "WARNING",
    ]
    return quiet, {**variables, "LOG_LEVEL": "WARNING", READY: "Ready. Ctrl-C ends it."}


def _emptied(folder: Path) -> Path:
    """A folder for the figures of this server's processes; those of processes before it would be counted again."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def _written(file: Path, config: dict[str, Any]) -> Path:
    """The configuration in its file, put there in one piece: processes may start side by side."""
    from backtrail.tools.atomic_file import write_atomically

    write_atomically(file, json.dumps(config, indent=2))
    return file


def _programs() -> str:
    return os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
