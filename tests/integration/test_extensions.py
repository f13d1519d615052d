"""What another package brings by entry points runs on the command line, in an evaluation and on the server."""

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from fixtures.langgraph_server import ROOT, Server
from fixtures.module_runner import ModuleRunner
from langgraph_sdk import get_client

NEW = ROOT / "skeleton" / "second_look"
QUESTION = "When was Voyager 2 launched?"

ENTRY_POINTS = """
[backtrail.methods]
second_look = second_look.extensions:METHOD
broken = second_look.nowhere:METHOD
bm25 = second_look.extensions:METHOD
misnamed = second_look.extensions:METHOD
[backtrail.parsers]
subtitles = second_look.extensions:SUBTITLES
[backtrail.vector_stores]
mine = second_look.extensions:MyStore
[backtrail.search_providers]
almanac = second_look.extensions:almanac
[backtrail.tasks]
quiz = second_look.extensions:QUIZ
"""
EXTENSIONS = """
import dataclasses
from pathlib import Path
from backtrail.evals.tasks.examples import EXAMPLES
from backtrail.graphs.method import Method
from backtrail.graphs.steps import Steps
from backtrail.ingest.errors import UnreadableSource
from backtrail.ingest.finish import finish
from backtrail.ingest.kinds import Parser
from backtrail.state.component import Component, Document
from backtrail.tools.vector_stores.binary import BinaryStore
from second_look.rules.table import RULES

METHOD = Method(
    name="second_look", about="searches by words, rewords, searches again", page="", module="second_look.graph",
    records=("looks",), steps=Steps("look", "looks", "number", choosers=frozenset({"choose_words"})),
    rules=RULES, prompts=Path(__file__).parent / "prompts",
)

def parse(path, document_id):
    lines = [line for line in path.read_text().splitlines() if line and not line.isdigit() and "-->" not in line]
    if not lines:
        raise UnreadableSource(str(path), "it has no lines of speech", "Export it again")
    speech = Component(id=f"{document_id}#0", document=document_id, modality="text", position=0, text=" ".join(lines))
    yield finish(Document(id=document_id, title=path.stem, source=str(path)), [speech])

SUBTITLES = Parser("subtitles", "subtitle file", (".srt",), parse, "1")

class MyStore(BinaryStore):
    kind = "mine"

def almanac(settings):
    raise RuntimeError("asked the almanac")

QUIZ = dataclasses.replace(EXAMPLES, name="quiz")
"""


@dataclass(frozen=True)
class Installed:
    """A folder of packages that Python searches, a home, and what runs there."""

    site: Path
    home: Path
    variables: dict[str, str]
    runner: ModuleRunner


@pytest.fixture(scope="module")
def installed(offline_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installed]:
    site = tmp_path_factory.mktemp("site")
    package, facts = site / "second_look", site / "second_look-1.0.dist-info"
    for room in ("state", "rules", "nodes", "prompts"):
        shutil.copytree(NEW / room / "second_look", package / room)
    shutil.copy(NEW / "graphs" / "second_look.py", package / "graph.py")
    (package / "__init__.py").write_text("")
    (package / "extensions.py").write_text(EXTENSIONS)
    for file in package.rglob("*.py"):
        text = file.read_text()
        for room in ("state", "rules", "nodes"):
            text = text.replace(f"backtrail.{room}.second_look", f"second_look.{room}")
        file.write_text(text.replace("settings.second_look.looks", "2"))
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: second-look\nVersion: 1.0\n")
    (facts / "entry_points.txt").write_text(ENTRY_POINTS)
    shutil.copytree(offline_home, site / "home")
    variables = {
        "PYTHONPATH": str(site), "BACKTRAIL_HOME": str(site / "home"), "BACKTRAIL_VECTOR_STORE": "mine",
        "COLUMNS": "10000",
    }  # fmt: skip
    with ModuleRunner(variables) as runner:
        yield Installed(site, site / "home", variables, runner)


def test_its_method_answers_and_is_traced_and_evaluated(installed: Installed) -> None:
    asked = installed.runner.backtrail("ask", QUESTION, "--method", "second_look", "--corpus", "tiny")
    assert "1977" in asked["answer"]
    trace = installed.runner.backtrail("trace", asked["thread_id"])
    assert [look["number"] for look in trace["looks"]] == [1, 2]
    questions = installed.site / "questions.jsonl"
    gold = {"id": "q", "question": QUESTION, "answers": ["20 August 1977"], "gold": [["voyager#0"]]}
    questions.write_text(json.dumps(gold) + "\n")
    found = installed.runner.backtrail(
        "eval", "custom", "--questions", str(questions), "--corpus", "tiny", "-m", "second_look"
    )
    (row,) = [row for row in found["methods"] if row["method"] == "second_look"]
    assert row["failed"] == []
    assert row["scores"]["Hit@10"]["mean"] == 1.0


def test_its_files_are_read_and_its_vector_store_searched(installed: Installed) -> None:
    talk = installed.site / "talks"
    talk.mkdir()
    (talk / "launch.srt").write_text("1\n00:01 --> 00:02\nThe rocket was launched in Kourou.\n")
    (talk / "empty.srt").write_text("1\n")
    said = installed.runner.run("backtrail.cli.app", "ingest", str(talk), "--corpus", "talks", status=1)
    assert "no lines of speech" in said
    asked = installed.runner.backtrail(
        "ask", "Where was the rocket launched?", "--corpus", "talks", "--method", "dense"
    )
    assert "Kourou" in asked["answer"]
    index = installed.home / "corpora" / "talks" / "vector_index"
    assert any(b"mine" in file.read_bytes() for file in index.rglob("*.json"))


def test_its_tasks_and_search_providers_are_known_and_what_is_broken_is_named(installed: Installed) -> None:
    assert "quiz" in installed.runner.run("backtrail.cli.app", "eval", "nothing", status=2)
    refused = installed.runner.run("backtrail.cli.app", "ask", QUESTION, "-m", "fixed_text", "--corpus", "tiny",
                            "--set", "web.provider=almanack", status=2)  # fmt: skip
    assert "almanac" in refused
    refused = installed.runner.run("backtrail.cli.app", "ask", QUESTION, "-m", "broken", status=2)
    assert "second-look" in refused
    assert "second_look.nowhere" in refused
    shown = installed.runner.run("backtrail.cli.app", "doctor", status=1)
    assert "second_look.nowhere" in shown
    assert "its row has the name 'second_look'" in shown
    assert "there is another method of that name" in shown


@pytest.mark.server
async def test_its_method_is_served(installed: Installed, tmp_path: Path) -> None:
    config = tmp_path / "langgraph.json"
    shutil.copy(ROOT / "langgraph.json", config)
    installed.runner.run("backtrail.server.langgraph_json", str(config))
    assert json.loads(config.read_text())["graphs"]["second_look"]["path"] == "second_look.graph:graph"
    server = Server(installed.home, tmp_path, installed.variables, config)
    server.start()
    try:
        async with get_client(url=server.url) as client:
            thread = await client.threads.create()
            values: Any = await client.runs.wait(
                thread["thread_id"], "second_look", input={"question": QUESTION}, context={"corpus": "tiny"}
            )
    finally:
        server.kill()
    assert "1977" in values["answer"]["text"]
