"""Published tables: they can be run as they stand, a bad one says what is wrong, and the docs print what ships."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fixtures.pieces import text_piece
from reader_table.asking import held
from reader_table.degrading import degraded_table
from reader_table.kept import Kept, lines_of
from reader_table.pack import shipped_questions
from reader_table.plan import PLAN
from reader_table.report import table

from backtrail.evals.errors import TableError, TableUnknown, TaskUnknown
from backtrail.evals.published.find import find_tables, published
from backtrail.evals.published.table import Table, read_table
from backtrail.evals.reproduction.comparable import model_reasons
from backtrail.evals.scorers.common import with_common
from backtrail.evals.scorers.judged import judged_scorers
from backtrail.evals.tasks.table import find_task
from backtrail.graphs.methods import find_method
from backtrail.state.answer_decisions import ANSWER, AnswerInputs
from backtrail.state.settings import Settings
from backtrail.state.usage import charge
from backtrail.tools.deciders.errors import MissingRecord
from backtrail.tools.deciders.protocol import DecisionFailed
from backtrail.tools.deciders.scripted import ScriptedDecider
from backtrail.tools.errors import ModelUnavailable
from backtrail.tools.settings.file import load_settings

TABLES = published()

MINIMAL = """
paper = "fif"
number = "1"
title = "One"
section = "Table 1"
reference = "FiF"
columns = [{ benchmark = "ottqa", name = "R@1", metric = "Recall@1" }]

[benchmarks.ottqa]
name = "OTT-QA"

[[rows]]
name = "FiF"
method = "fif"
figures = ["42.17"]
"""


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_every_row_names_a_method_and_settings_that_exist(table: Table) -> None:
    for row in table.rows:
        if row.method:
            find_method(row.method)
            load_settings({**table.settings, **row.settings})


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_every_metric_is_a_scorer_of_its_task_and_every_tag_is_told(table: Table) -> None:
    for column in table.columns:
        if column.mean:
            continue
        benchmark = table.benchmarks[column.benchmark]
        try:
            task = find_task(benchmark.task or column.benchmark)
        except TaskUnknown:
            assert benchmark.private, f"{column.benchmark} is neither a task nor private"
            continue
        judged = replace(task, scorers=(*task.scorers, *judged_scorers())) if table.judgings else task
        assert column.metric in {scorer.name for scorer in with_common(judged.scorers)}
        assert set(column.where) <= {*task.by, "language"}


def test_figures_stand_as_they_were_printed() -> None:
    [table] = find_tables("fif", "table 3")
    fif = next(row for row in table.rows if row.name == "FiF")
    assert fif.figures[:8] == ("114,591", "113,642", "538", "411", "7.92", "48,863", "4,785", "0.1109")
    with pytest.raises(TableUnknown, match="fif 1"):
        find_tables("fif", "9")
    assert table.place_of(fif, table.columns[0]) == "fif, Table 3, section 5.4: FiF, MultimodalQA Time total (ms)"


def test_rows_are_compared_by_the_extractor_of_the_graph_they_read() -> None:
    [table] = find_tables("hm_rag", "1")
    why = {row.name: " ".join(model_reasons(table, row, Settings())) for row in table.rows if row.method == "hm_rag"}
    assert "extractor no knowledge graph, in the paper DeepSeek-R1-70B" in why["HM-RAG"]
    assert "extractor" not in why["Vector-based"]
    assert "planner" not in why["HM-RAG"], "the paper does not name it"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({'"42.17"': '"42.17", "1"'}, "2 figures for 1 columns"),
        ({'method = "fif"': ""}, "needs either 'method' or 'absent'"),
        ({'reference = "FiF"': 'reference = "Fif"'}, "no row is called 'Fif'"),
    ],
)  # fmt: skip
def test_a_bad_file_says_what_is_wrong(tmp_path: Path, changes: dict[str, Any], said: str) -> None:
    text = MINIMAL
    for old, new in changes.items():
        text = text.replace(old, new)
    (tmp_path / "own.toml").write_text(text)
    with pytest.raises(TableError, match=said):
        read_table(tmp_path / "own.toml")


ROOT = Path(__file__).parents[3]
KEPT = ROOT / "benchmarks" / "reader_table" / "kept"
READING = {"short": "1998", "text": "In 1998.", "citations": [{"component": "a#0", "sentence": 0}], "supported": True,
           "confidence": 0.9}  # fmt: skip
INPUTS = AnswerInputs(question="When?", evidence=[text_piece("a#0", "A", "It was 1998.")])


def test_the_docs_print_the_table_of_what_ships() -> None:
    questions = shipped_questions(KEPT)
    found = held(KEPT, PLAN, questions)
    docs = (ROOT / "docs" / "results.md").read_text().splitlines()
    lines = [*table(found), *degraded_table(KEPT, PLAN, questions, found)]
    assert len(lines) > 20
    assert [line for line in lines if line not in docs] == []


def test_what_ships_holds_no_text_of_documents() -> None:
    lines = list(lines_of(KEPT / "outcomes.jsonl.gz"))
    assert {"quoted", "quotes", "read"}.isdisjoint(key for line in lines for key in line["outcome"])
    assert not any("evidence" in one for one in lines_of(KEPT / "questions.jsonl.gz"))


async def test_replies_and_failures_are_kept_and_a_line_that_a_kill_cut_off_is_asked_for_again(tmp_path: Path) -> None:
    file = tmp_path / "decisions.jsonl"
    failure = DecisionFailed("answer", "r", "no JSON", charge(calls=3))
    with pytest.raises(DecisionFailed, match="no JSON"):
        await Kept(file, ScriptedDecider({"answer": [failure]})).decide(ANSWER, INPUTS)
    with pytest.raises(DecisionFailed, match="no JSON") as caught:
        await Kept(file, None).decide(ANSWER, INPUTS)
    assert caught.value.charge["calls"] == 3
    file.write_bytes(file.read_bytes()[:-20])
    kept = Kept(file, ScriptedDecider({"answer": [ModelUnavailable("down"), READING]}))
    with pytest.raises(ModelUnavailable):
        await kept.decide(ANSWER, INPUTS)
    first = await kept.decide(ANSWER, INPUTS)
    assert [one["output"]["short"] for one in lines_of(file)] == ["1998"], "nothing is kept while the server is down"
    assert (await Kept(file, None).decide(ANSWER, INPUTS)).output == first.output
    with pytest.raises(MissingRecord, match="Where"):
        await Kept(file, None).decide(ANSWER, INPUTS.model_copy(update={"question": "Where?"}))
