"""``make new-method`` adds a method that runs everywhere and passes the tests of methods, in a copy of the checkout."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from fixtures.langgraph_server import ROOT
from fixtures.module_runner import ModuleRunner

QUESTION = "When was Voyager 2 launched?"


@dataclass(frozen=True)
class Checkout:
    """A copy of the packages with the new method, a home with a corpus, and what runs there."""

    root: Path
    home: Path
    runner: ModuleRunner


@pytest.fixture(scope="module")
def checkout(offline_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Checkout]:
    folder = tmp_path_factory.mktemp("new_method") / "checkout"
    # what `make docs` and `make wheel` write beside the tests may be gone when it is copied
    others = shutil.ignore_patterns(".*", "__pycache__", "node_modules", "build", "*.egg-info", "backtrail-*")
    shutil.copytree(ROOT, folder, symlinks=True, ignore=others)
    new_method(folder, "two_pass")
    shutil.copytree(offline_home, folder / "home")
    with ModuleRunner(variables(folder), folder) as runner:
        runner.run("backtrail.server.langgraph_json", "langgraph.json")
        runner.run("backtrail.cli.methods_page", "docs/methods/README.md")
        runner.run("backtrail.cli.draw", "docs/architecture")
        runner.run("backtrail.cli.reference", "docs/cli.md")
        yield Checkout(folder, folder / "home", runner)


def new_method(folder: Path, *name: str) -> None:
    """Run the script that ``make new-method`` runs.

    Raises:
        RuntimeError: with what the script wrote to stderr.
    """
    script = [sys.executable, "skeleton/new_method.py", *name]
    done = subprocess.run(script, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr)


def variables(folder: Path) -> dict[str, str]:
    """With these its packages are found before those that are installed."""
    return {"PYTHONPATH": str(folder / "src"), "BACKTRAIL_HOME": str(folder / "home")}


def test_it_answers_on_the_command_line_and_can_be_traced_and_forked(checkout: Checkout) -> None:
    asked = checkout.runner.backtrail("ask", QUESTION, "--method", "two_pass", "--corpus", "tiny")
    assert "1977" in asked["answer"]
    assert asked["stop_reason"] == "limit:looks"
    trace = checkout.runner.backtrail("trace", asked["thread_id"])
    assert [look["number"] for look in trace["looks"]] == [1, 2]
    assert trace["settings"]["two_pass"] == {"looks": 2}
    shown = checkout.runner.run("backtrail.cli.app", "trace", asked["thread_id"])
    assert 'looks {"number": 1, "query": "When was Voyager 2 launched?"' in shown
    assert "looks 1 to 3" in shown  # where it can be forked
    fork = checkout.runner.backtrail("fork", asked["thread_id"], "--at", "2", "--set", "two_pass.looks=1")
    assert len(checkout.runner.backtrail("trace", fork["thread_id"])["looks"]) == 1
    (line,) = [one for one in checkout.runner.backtrail("trace")["threads"] if one["thread_id"] == asked["thread_id"]]
    assert (line["method"], line["steps"]) == ("two_pass", 2)


def test_it_is_evaluated(checkout: Checkout) -> None:
    questions = checkout.root / "questions.jsonl"
    gold = {"id": "q", "question": QUESTION, "answers": ["20 August 1977"], "gold": [["voyager#0"]]}
    questions.write_text(json.dumps(gold) + "\n", encoding="utf-8")
    found = checkout.runner.backtrail(
        "eval", "custom", "--questions", str(questions), "--corpus", "tiny", "-m", "two_pass", "-m", "bm25"
    )
    row = found["methods"][0]
    assert (row["method"], row["variant"], row["failed"]) == ("two_pass", "ours", [])
    assert row["scores"]["Hit@10"]["mean"] == 1.0


def test_it_passes_the_checks_of_methods(checkout: Checkout) -> None:
    environment = {**os.environ, **variables(checkout.root)}
    tests = ["tests/unit/baselines/test_two_pass.py", "tests/unit/graphs/test_methods.py", "tests/unit/test_ledgers.py"]
    for command in (
        ["ruff", "check", "."],
        ["ruff", "format", "--check", "."],
        ["pytest", "-p", "no:cacheprovider", *tests, "tests/unit/cli/test_generated_docs.py"],
    ):
        done = subprocess.run(
            [sys.executable, "-m", *command], cwd=checkout.root, env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout
    assert "two_pass" in json.loads((checkout.root / "langgraph.json").read_text())["graphs"]
    drawing = (checkout.root / "docs/architecture/graph-two_pass.md").read_text(encoding="utf-8")
    assert "choose_words -.-> look" in drawing


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ((), "'' is no name for a method"),
        (("Two_Pass",), "small letters, digits and single underscores"),
        (("two_pass",), r"'two_pass' is taken by state/two_pass\. Run: make new-method NAME="),
        (("budget",), "'budget' is taken by state/budget.py"),
    ],
)
def test_a_name_that_cannot_be_used_changes_nothing(checkout: Checkout, name: tuple[str, ...], problem: str) -> None:
    before = (checkout.root / "graphs/methods.py").read_bytes()
    with pytest.raises(RuntimeError, match=problem):
        new_method(checkout.root, *name)
    assert (checkout.root / "graphs/methods.py").read_bytes() == before
