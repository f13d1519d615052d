"""backtrail serve: start a server for all methods."""

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
"""Environment variable with the line that the server prints once it answers (``server/app.py``)."""

URL, DATABASE, REDIS = "BACKTRAIL_CHECKPOINTS_URL", "DATABASE_URL", "REDIS_URL"
TAKEN = 100
"""Runs that each worker of a server takes from its queue (ours). ``tools/access/run_slots.py`` limits how many of
them work at once, fairly across keys."""
Host = Literal["auto", "aegra", "langgraph"]


def serve(
    on: Annotated[
        Host, typer.Option("--on", help="Server: aegra (Postgres) or langgraph (development); auto chooses.")
    ] = "auto",
    address: Annotated[str, typer.Option("--host", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port to listen on.")] = 8123,
    processes: Annotated[int, typer.Option(min=1, max=64, help="Processes of aegra; more than one needs Redis.")] = 1,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Show the log of LangGraph's server; LOG_LEVEL sets the level.")
    ] = False,
) -> None:
    """Serve all methods until stopped with Ctrl-C.

    aegra runs if it is installed and DATABASE_URL or BACKTRAIL_CHECKPOINTS_URL names a Postgres database. With
    REDIS_URL another process continues the runs of one that died. Else LangGraph's development server runs.
    """
    from backtrail.cli.show.console import err
    from backtrail.tools.access.policy.file import read_policy

    read_policy()  # report errors here rather than in the server's log
    url = os.environ.get(DATABASE) or os.environ.get(URL) or ""
    chosen = _chosen(on, url, processes)
    _check_free(address, port)
    folder = _folder()
    if chosen == "aegra":
        command, variables = _aegra(folder, url, address, port, processes)
    else:
        command, variables = _langgraph(folder, address, port, verbose=verbose or "LOG_LEVEL" in os.environ)
    if chosen == "aegra":
        from backtrail.tools.checkpoints.postgres import create_aegra_tables

        create_aegra_tables(url)
    err.print(f"[dim]Backtrail on {chosen}, http://{address}:{port} (a page to ask: /ui)[/]", soft_wrap=True)
    sys.stderr.flush()
    os.chdir(folder)
    if sys.platform == "win32":
        raise typer.Exit(subprocess.call(command, env={**os.environ, **variables}))
    os.execvpe(command[0], command, {**os.environ, **variables})  # signals reach the server itself


def _chosen(on: Host, url: str, processes: int) -> str:
    """Choose the server and check that it can run.

    Raises:
        SettingsError: something is missing; the message names it.
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
            raise SettingsError(f"{processes} processes share runs through Redis: set {REDIS}=redis://host:6379/0.")
    elif shutil.which("langgraph", path=_programs()) is None:
        raise DependencyMissing("langgraph_cli", "server")
    elif processes > 1:
        raise SettingsError("LangGraph's development server runs in one process; use aegra for several (--on aegra).")
    return chosen


def _check_free(address: str, port: int) -> None:
    """Check that the port is free; LangGraph's server would silently use another one.

    Raises:
        SettingsError: the port cannot be used.
    """
    from backtrail.tools.errors import SettingsError

    try:
        socket.create_server((address, port), family=socket.AF_INET6 if ":" in address else socket.AF_INET).close()
    except (OSError, OverflowError) as error:
        why = os.strerror(error.errno) if isinstance(error, OSError) and error.errno else str(error)
        raise SettingsError(f"Port {port} of {address} cannot be used: {why}. Give another: --port NUMBER.") from error


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
    # the default kills a busy process after five seconds
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
        "LANGGRAPH_NO_VERSION_CHECK": "true",  # the check asks PyPI
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
    """Empty the folder of process metrics; those of earlier processes would be counted again."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def _written(file: Path, config: dict[str, Any]) -> Path:
    """Write the configuration atomically, since several servers may start at once."""
    from backtrail.tools.atomic_file import write_atomically

    write_atomically(file, json.dumps(config, indent=2))
    return file


def _programs() -> str:
    return os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
