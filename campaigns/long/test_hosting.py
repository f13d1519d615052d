"""Server by Dockerfile and compose.yaml, without Docker: install, start, check, back up, restore.

The files of the build are installed into a read-only folder, and started with the command of compose.yaml, without
capabilities, against a real Postgres and a real Redis.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

import psycopg
import pytest
from fixtures.aegra_server import Aegra, python_with_aegra
from fixtures.build_context import COMPOSE, DOCKERFILE, context
from fixtures.closed_server import CONTEXT, QUESTION, made
from fixtures.postgres import binaries
from langgraph_sdk import get_client
from psycopg import sql


class Installed(Aegra):
    """The server as compose.yaml starts it, from the folder of the image."""

    def __init__(self, installed: Path, home: Path, folder: Path, database: str, redis: str) -> None:
        super().__init__(home, folder, database, redis, {"PYTHONPATH": str(installed)})
        folder.chmod(0o555)
        self.log_file = home.parent / f"{folder.name}.log"

    def log(self) -> str:
        return self.log_file.read_text()

    def command(self, port: int) -> list[str]:
        command: list[Any] = COMPOSE["services"]["server"]["command"]
        values = {"0.0.0.0": "127.0.0.1", "8123": str(port), "${BACKTRAIL_PROCESSES:-2}": "2"}
        serve = [values.get(str(word), str(word)) for word in command]
        return [*_without_capabilities(), python_with_aegra(), "-m", "backtrail.cli.app", *serve]


def _without_capabilities() -> list[str]:
    if os.geteuid() or not shutil.which("setpriv"):
        return []
    return ["setpriv", "--bounding-set=-all", "--inh-caps=-all", "--no-new-privs"]


def in_the_image(installed: Path, home: Path, *arguments: str) -> str:
    variables = {**os.environ, "PYTHONPATH": str(installed), "BACKTRAIL_HOME": str(home)}
    command = [python_with_aegra(), "-m", "backtrail.cli.app", *arguments]
    return subprocess.run(command, env=variables, capture_output=True, text=True, check=True, cwd=home).stdout.strip()


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("image")
    build = context(folder / "context")
    uv = [str(Path(sys.executable).with_name("uv")), "pip", "install", "--quiet", "--no-deps"]
    subprocess.run([*uv, "--python", python_with_aegra(), "--target", str(folder / "site"), str(build)], check=True)
    for place in (folder / "site").rglob("*"):
        place.chmod(0o555 if place.is_dir() else 0o444)
    return folder / "site"


def made_database(url: str, name: str) -> str:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    return url.rpartition("/")[0] + f"/{name}"


@pytest.mark.long
@pytest.mark.server
@pytest.mark.skipif(not python_with_aegra(), reason="aegra is not installed; `make install` brings it")
@pytest.mark.skipif(shutil.which("redis-server") is None, reason="Redis is not installed; `make install` brings it")
async def test_a_server_is_put_up_backed_up_and_restored(
    tmp_path: Path, installed: Path, postgres_url: str, redis: str
) -> None:
    made(tmp_path, tmp_path, {})
    home = tmp_path / "home"
    (home / "api_keys.toml").unlink()
    key = in_the_image(installed, home, "keys", "add", "anna")
    database = made_database(postgres_url, "hosted")
    server = Installed(installed, home, _folder(tmp_path, "first"), database, redis)
    server.start()
    try:
        _check_health(server)
        async with get_client(url=server.url, api_key=key) as client:
            thread = (await client.threads.create())["thread_id"]
            await client.runs.wait(thread, "fif", input=QUESTION, context=CONTEXT)
        assert b"backtrail_runs_total" in server.get("/metrics", {"x-api-key": key})[2]
        _pg("pg_dump", "--format=custom", "--file", str(tmp_path / "backtrail.dump"), database)
        with tarfile.open(tmp_path / "home.tar.gz", "w:gz") as copy:
            copy.add(home, ".", filter=lambda entry: None if entry.name in ("./cache", "./serve") else entry)
    finally:
        server.kill()

    restored, again = made_database(postgres_url, "restored"), tmp_path / "again"
    _pg("pg_restore", "--no-owner", "--dbname", restored, str(tmp_path / "backtrail.dump"))
    with tarfile.open(tmp_path / "home.tar.gz") as copy:
        copy.extractall(again, filter="data")
    assert "tiny" in in_the_image(installed, again, "corpus", "check", "tiny")
    server = Installed(installed, again, _folder(tmp_path, "second"), restored, redis)
    server.start()
    try:
        async with get_client(url=server.url, api_key=key) as client:
            values: Any = (await client.threads.get_state(thread))["values"]
            assert "1977" in str(values["answer"])
            assert server.get(f"/trace/{thread}", {"x-api-key": key})[0] == 200
            more: Any = {"question": "Who flew past Triton?"}
            followed: Any = await client.runs.wait(thread, "fif", input=more, context=CONTEXT)
            assert len(followed["messages"]) == 4
    finally:
        server.kill()


def _folder(below: Path, name: str) -> Path:
    (below / name).mkdir()
    return below / name


def _check_health(server: Installed) -> None:
    """Check the health as the image's HEALTHCHECK does."""
    _, *asked = json.loads(DOCKERFILE.partition("HEALTHCHECK")[2].partition("CMD ")[2].partition("\n")[0])
    port = server.url.rpartition(":")[2]
    subprocess.run([sys.executable, *(word.replace("8123", port) for word in asked)], check=True, timeout=30)


def _pg(program: str, *arguments: str) -> None:
    folder = binaries()
    beside = shutil.which(program, path=f"{folder}{os.pathsep}{os.environ['PATH']}")
    assert beside, f"{program} is not installed"
    subprocess.run([beside, *arguments], check=True)
