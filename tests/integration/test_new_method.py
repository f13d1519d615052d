"""CONTRIBUTING's "a method" is true: one that is added by its steps alone runs everywhere.

The steps are followed in a copy of the checkout: files go into the four places, a row into ``graphs/methods.py``, a
field into ``state/settings.py``. Nothing else is touched by hand.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from fixtures.langgraph_server import ROOT, Server
from langgraph_sdk import get_client

NEW = ROOT / "tests" / "fixtures" / "new_method"
PLACES = ("state", "prompts", "rules", "nodes", "graphs")
ROW, FIELD = "graphs/methods.py", "state/settings.py"
QUESTION = "When was Voyager 2 launched?"


RUNS = """
import contextlib, io, json, runpy, sys
for line in sys.stdin:
    module, *arguments = json.loads(line)
    sys.argv, said, status = [module, *arguments], io.StringIO(), 0
    with contextlib.redirect_stdout(said):
        try:
            runpy.run_module(module, run_name="__main__")
        except SystemExit as end:
            status = end.code or 0
    print(json.dumps([status, said.getvalue()]), flush=True)
"""
"""A process that runs one module after the other: each would take seconds to be imported in one of its own."""


@dataclass(frozen=True)
class Checkout:
    """A copy of the packages with the new method, a home with a corpus, and a process that runs what is there."""

    root: Path
    home: Path
    process: subprocess.Popen[str]

    def run(self, module: str, *arguments: str) -> str:
        """What a module of the copy prints."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(json.dumps([module, *arguments]), file=self.process.stdin, flush=True)
        status, said = json.loads(self.process.stdout.readline())
        assert status == 0, said
        return said

    def backtrail(self, *arguments: str) -> Any:
        """What a command prints as JSON."""
        return json.loads(self.run("backtrail.cli.app", *arguments, "--json"))


def contents(rooms: Path) -> dict[str, bytes]:
    """Every file by its path."""
    return {str(file.relative_to(rooms)): file.read_bytes() for file in rooms.rglob("*") if file.is_file()}


def insert(file: Path, before: str, text: str) -> None:
    """Put text before a line that stands once in a file."""
    held = file.read_text(encoding="utf-8")
    assert held.count(before) == 1, f"{file.name} has no single {before!r} to add the method at"
    file.write_text(held.replace(before, text + before), encoding="utf-8")


@pytest.fixture(scope="module")
def checkout(offline_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Checkout]:
    folder = tmp_path_factory.mktemp("checkout")
    rooms = folder / "src" / "backtrail"
    shutil.copytree(ROOT / "src" / "backtrail", rooms, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "langgraph.json", folder)
    before = contents(rooms)

    for place in PLACES:
        shutil.copytree(NEW / place, rooms / place, dirs_exist_ok=True)
    insert(rooms / ROW, ")\n\n\nclass Methods(", (NEW / "row.py.txt").read_text(encoding="utf-8"))
    insert(
        rooms / FIELD, "    web: WebSettings",
        '    second_look: SecondLookSettings = Field(default=SecondLookSettings(), description="Of Second Look.")\n',
    )  # fmt: skip
    insert(
        rooms / FIELD, "from backtrail.state.variant import",
        "from backtrail.state.second_look.settings import SecondLookSettings\n",
    )  # fmt: skip

    after = contents(rooms)
    assert {path for path in before if before[path] != after.get(path)} == {ROW, FIELD}
    assert {path.split("/")[1] for path in after.keys() - before.keys()} == {"second_look", "second_look.py"}

    shutil.copytree(offline_home, folder / "home")
    with subprocess.Popen(
        [sys.executable, "-c", RUNS], cwd=folder, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        env={**os.environ, **variables(folder)},
    ) as process:  # fmt: skip
        made = Checkout(folder, folder / "home", process)
        made.run("backtrail.server.langgraph_json", "langgraph.json")
        yield made


def variables(folder: Path) -> dict[str, str]:
    """With these its packages are found before those that are installed."""
    return {"PYTHONPATH": str(folder / "src"), "BACKTRAIL_HOME": str(folder / "home")}


def test_it_answers_on_the_command_line_and_can_be_traced_and_forked(checkout: Checkout) -> None:
    asked = checkout.backtrail("ask", QUESTION, "--method", "second_look", "--corpus", "tiny")
    assert "1977" in asked["answer"]
    assert asked["stop_reason"] == "limit:looks"
    told = checkout.backtrail("trace", asked["thread_id"])
    assert [look["number"] for look in told["looks"]] == [1, 2]
    assert told["settings"]["second_look"] == {"looks": 2}
    shown = checkout.run("backtrail.cli.app", "trace", asked["thread_id"])
    assert 'looks {"number": 1, "query": "When was Voyager 2 launched?"' in shown
    assert "looks 1 to 3" in shown  # where it can be forked
    fork = checkout.backtrail("fork", asked["thread_id"], "--at", "2", "--set", "second_look.looks=1")
    assert len(checkout.backtrail("trace", fork["thread_id"])["looks"]) == 1
    (line,) = [one for one in checkout.backtrail("trace")["threads"] if one["thread_id"] == asked["thread_id"]]
    assert (line["method"], line["steps"]) == ("second_look", 2)


def test_it_is_evaluated(checkout: Checkout) -> None:
    questions = checkout.root / "questions.jsonl"
    gold = {"id": "q", "question": QUESTION, "answers": ["20 August 1977"], "gold": [["voyager#0"]]}
    questions.write_text(json.dumps(gold) + "\n", encoding="utf-8")
    found = checkout.backtrail(
        "eval", "custom", "--questions", str(questions), "--corpus", "tiny", "-m", "second_look", "-m", "bm25"
    )
    row = found["methods"][0]
    assert (row["method"], row["variant"], row["failed"]) == ("second_look", "ours", [])
    assert row["scores"]["Hit@10"]["mean"] == 1.0


def test_the_docs_list_it(checkout: Checkout) -> None:
    page = checkout.root / "methods.md"
    checkout.run("backtrail.cli.methods_page", str(page))
    assert "| [`second_look`](second-look.md) | searches by words" in page.read_text(encoding="utf-8")
    checkout.run("backtrail.cli.draw", str(checkout.root))
    assert "choose_words -.-> look" in (checkout.root / "graph-second_look.md").read_text(encoding="utf-8")
    checkout.run("backtrail.cli.reference", str(page))
    assert "`second_look.looks`" in page.read_text(encoding="utf-8")


@pytest.mark.server
async def test_it_is_served(checkout: Checkout, tmp_path: Path) -> None:
    server = Server(checkout.home, tmp_path, variables(checkout.root), checkout.root / "langgraph.json")
    server.start()
    try:
        async with get_client(url=server.url) as client:
            thread = await client.threads.create()
            values: Any = await client.runs.wait(
                thread["thread_id"], "second_look", input={"question": QUESTION},
                context={"corpus": "tiny", "second_look": {"looks": 1}},
            )  # fmt: skip
        status, _, page = server.get(f"/trace/{thread['thread_id']}")
    finally:
        server.kill()
    assert "1977" in values["answer"]["text"]
    assert len(values["looks"]) == 1
    assert (status, b"<h2>Looks</h2>" in page) == (200, True)
