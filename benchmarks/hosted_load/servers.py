"""Start Postgres, Redis and several servers on them, each of which can be killed."""

from __future__ import annotations

import getpass
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
import pytest
from fixtures.aegra_server import Aegra, free_port, python_with_aegra, running_redis  # pyright: ignore[reportMissingImports] - of the tests
from fixtures.postgres import binaries  # pyright: ignore[reportMissingImports] - of the tests

from backtrail.ingest.pipeline import ingest
from backtrail.tools.access.api_keys import add_key
from hosted_load.model import Model
from hosted_load.questions import CORPUS, write_corpus

KEYS = 10
LEASES = {
    "LEASE_DURATION_SECONDS": "10",
    "HEARTBEAT_INTERVAL_SECONDS": "2",
    "REAPER_INTERVAL_SECONDS": "2",
    "STUCK_PENDING_THRESHOLD_SECONDS": "15",
    "BLPOP_TIMEOUT_SECONDS": "1",
}
"""Dead processes are noticed after ten seconds; the default is half a minute."""


@dataclass
class Postgres:
    """A Postgres server that can crash and restart."""

    folder: Path
    port: int = field(default_factory=free_port)

    def __post_init__(self) -> None:
        programs = binaries()
        assert programs, "PostgreSQL is not installed"
        self._programs = programs
        self._as = ["runuser", "-u", "postgres", "--"] if getpass.getuser() == "root" else []
        if self._as:
            shutil.chown(self.folder, "postgres")
        self._run("initdb", "-U", "tests", "-A", "trust", "--no-sync")

    @property
    def url(self) -> str:
        """URL of the database."""
        return f"postgresql://tests@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        """Start or restart the server; it recovers committed data."""
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={self.folder}"
        more = "-c max_connections=400 -c fsync=off"
        self._run("pg_ctl", "-w", "-l", str(self.folder / "log"), "-o", f"{options} {more}", "start")

    def crash(self) -> None:
        """Kill the server; every connection breaks without notice."""
        self._run("pg_ctl", "-m", "immediate", "-w", "stop")

    def rows(self, query: str) -> list[tuple[object, ...]]:
        """Return the rows of a query."""
        with psycopg.connect(self.url) as connection:
            return connection.execute(query).fetchall()  # type: ignore[arg-type]

    def _run(self, program: str, *arguments: str) -> None:
        command = [*self._as, str(self._programs / program), "-D", str(self.folder / "cluster"), *arguments]
        subprocess.run(command, check=True, cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


@dataclass
class Hosted:
    """The running database and servers."""

    servers: list[Aegra]
    postgres: Postgres
    keys: list[str]
    kills: list[tuple[float, str]] = field(default_factory=list[tuple[float, str]])
    """Time and name of each kill; the database is ``postgres``."""

    def kill(self, number: int) -> None:
        """Send SIGKILL to one of the servers."""
        self.kills.append((time.monotonic(), f"s{number}"))
        self.servers[number].kill()

    def revive(self, number: int) -> None:
        """Start a server until it stays up, as a supervisor would: aegra exits when its database is down."""
        for _ in range(10):
            try:
                self.servers[number].start()
                return
            except AssertionError:
                self.servers[number].kill()
                time.sleep(1)
        raise RuntimeError(self.servers[number].log()[-5000:])

    def crash_postgres(self) -> None:
        """Crash the database."""
        self.kills.append((time.monotonic(), "postgres"))
        self.postgres.crash()

    def largest(self) -> int:
        """Return the peak memory in bytes of the largest process."""
        return max(_peak(server) for server in self.servers)


def _peak(server: Aegra) -> int:
    status = Path(f"/proc/{server.pid}/status")
    lines = status.read_text().splitlines() if status.is_file() else []
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM")), 0)


@contextmanager
def hosting(model: Model, number: int) -> Iterator[Hosted]:
    """Run servers with keys and the corpus within the block."""
    assert python_with_aegra(), "aegra is not installed"
    with ExitStack() as stack, pytest.MonkeyPatch.context() as patch:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        of_postgres = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        patch.setenv("BACKTRAIL_HOME", str(folder / "home"))
        ingest([write_corpus(folder / "bundle")], CORPUS)
        keys = [add_key(f"user{key}") for key in range(KEYS)]
        postgres = Postgres(of_postgres)
        postgres.start()
        stack.callback(postgres.crash)
        redis = stack.enter_context(running_redis())
        servers: list[Aegra] = []
        for at in range(number):
            own = {"OPENAI_API_KEY": "of-the-host", "OPENAI_BASE_URL": model.url(f"s{at}"), **LEASES}
            servers.append(Aegra(folder / "home", folder / f"s{at}", postgres.url, redis, own))
            stack.callback(servers[-1].kill)
        servers[0].start()  # the first creates the tables; with two in parallel one fails in aegra
        with ThreadPoolExecutor(number) as several:
            list(several.map(Aegra.start, servers[1:]))
        yield Hosted(servers, postgres, keys)
        if kept := os.environ.get("KEEP_LOGS"):
            for server in servers:
                shutil.copy(server.log_file, Path(kept) / f"{server.folder.name}.log")
