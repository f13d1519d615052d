"""backtrail serve: which server it is, what it is started with, and what is said where it cannot be."""

import importlib.util
import json
import os
import socket
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from backtrail.cli.app import app
from backtrail.cli.commands import serve
from backtrail.graphs.methods import METHODS
from backtrail.graphs.serving.hosts import aegra_config, langgraph_config
from backtrail.tools.access.policy.file import policy_file
from backtrail.tools.checkpoints import postgres
from backtrail.tools.home import home

ROOT = Path(__file__).parents[3]
POSTGRES = "postgresql://u:p@h/d"


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What would be started; aegra counts as installed."""
    begun: list[Any] = []
    real = importlib.util.find_spec
    monkeypatch.setattr(os, "execvpe", lambda program, command, variables: begun.append((command, variables)))
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: object() if name == "aegra_api" else real(name))
    monkeypatch.setattr(postgres, "create_aegra_tables", begun.append)
    monkeypatch.setattr(serve, "_check_free", lambda *_: None)
    monkeypatch.chdir(ROOT)
    for name in ("DATABASE_URL", "REDIS_URL"):
        monkeypatch.delenv(name, raising=False)
    return begun


def test_a_postgres_makes_it_aegra(started: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", POSTGRES)
    monkeypatch.setenv("REDIS_URL", "redis://h")
    assert CliRunner().invoke(app, ["serve", "--port", "9", "--processes", "3"]).exit_code == 0
    tables, (command, variables) = started
    assert tables == POSTGRES, "made before several processes would"
    assert command[1:4] == ["-m", "uvicorn", "aegra_api.main:app"]
    assert command[command.index("--workers") + 1] == "3"
    assert variables["BACKTRAIL_CHECKPOINTS_URL"] == POSTGRES
    assert variables["REDIS_BROKER_ENABLED"] == "true"
    written = json.loads(Path(variables["AEGRA_CONFIG"]).read_text())
    assert written == aegra_config()


def test_without_one_it_is_langgraphs(started: list[Any]) -> None:
    assert CliRunner().invoke(app, ["serve"]).exit_code == 0
    [(command, variables)] = started
    assert command[1:4] == ["-m", "backtrail.server.langgraph_dev", "dev"]
    assert variables["LANGGRAPH_NO_VERSION_CHECK"] == "true", "nobody is asked for a newer one"
    assert json.loads((home() / "serve" / "langgraph.json").read_text()) == langgraph_config()


def test_a_port_that_is_taken_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "execvpe", lambda *_: pytest.fail("started"))
    with socket.create_server(("127.0.0.1", 0)) as held:
        port = held.getsockname()[1]
        result = CliRunner().invoke(app, ["serve", "--on", "langgraph", "--port", str(port)])
    assert result.exit_code == 2
    assert f"Port {port} of 127.0.0.1 cannot be used" in result.output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--on", "aegra"], "aegra needs Postgres"),
        (["--on", "langgraph", "--processes", "2"], "use aegra for several"),
        (["--processes", "2"], "share runs through Redis"),
    ],
)
def test_what_is_missing_is_said(started: list[Any], arguments: list[str], said: str, monkeypatch: Any) -> None:
    if "--on" not in arguments:
        monkeypatch.setenv("DATABASE_URL", POSTGRES)
    result = CliRunner().invoke(app, ["serve", *arguments])
    assert result.exit_code != 0
    assert said in result.output
    assert not started


def test_a_policy_that_cannot_be_used_is_said_first(started: list[Any]) -> None:
    policy_file().parent.mkdir(parents=True, exist_ok=True)
    policy_file().write_text("[everyone]\nweb = 3")
    assert "line 2: everyone.web" in CliRunner().invoke(app, ["serve"]).output
    assert not started


def test_every_method_is_served_by_both_and_from_files_that_are_there() -> None:
    shipped = json.loads((ROOT / "langgraph.json").read_text())
    assert langgraph_config().items() <= shipped.items()
    graphs = aegra_config()["graphs"]
    assert graphs.keys() == {*METHODS, "ingest"}
    for one in graphs.values():
        assert one["description"]
        file, _, name = one["path"].rpartition(":")
        assert (Path(file).is_file(), name) == (True, "graph")
