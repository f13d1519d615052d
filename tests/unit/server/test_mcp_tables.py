"""Answers of the tools ``tables`` and ``compute`` stay small, however large the tables are."""

from __future__ import annotations

from typing import Any

import orjson
import pytest
from fixtures.hashed_embedder import HashedEmbedder

from backtrail.ingest.pipeline import ingest
from backtrail.server.mcp_tables import RANGES, WHOLE, compute, find_tables
from backtrail.state.settings import Settings
from backtrail.tools.access.credentials import allowed_to
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.toolbox import Toolbox

ROWS = 420
FILES = 5
COLUMNS = 40
HEADER = ",".join(f"Height {number} in metres above the mean level of the northern sea" for number in range(COLUMNS))


@pytest.fixture(scope="module")
def heights(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("heights")
    (folder / "files").mkdir()
    for number in range(FILES):
        rows = "\n".join(",".join([str(row)] * COLUMNS) for row in range(3 if number else ROWS))
        (folder / "files" / f"heights-{number}.csv").write_text(f"{HEADER}\n{rows}\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BACKTRAIL_HOME", str(folder / "home"))
        ingest([folder / "files"], "heights", embedder="hashed", opened=HashedEmbedder())
        corpus = open_corpus("heights", embedder=HashedEmbedder())
        yield folder / "home", corpus


@pytest.fixture
def toolbox(heights: Any, monkeypatch: pytest.MonkeyPatch) -> Toolbox:
    home, corpus = heights
    monkeypatch.setenv("BACKTRAIL_HOME", str(home))
    return Toolbox(open_corpus=lambda name: corpus)


def longest(toolbox: Toolbox) -> dict[str, Any]:
    corpus = toolbox.corpus(Settings(corpus="heights"))
    parts = corpus.children(["heights-0.csv"])["heights-0.csv"]
    given = {"corpus": "heights", "tables": parts[:1]}
    (table,) = compute(toolbox, given, allowed_to(""))[1]["tables"]
    return table


def test_a_description_has_as_many_tables_as_fit(toolbox: Toolbox) -> None:
    words, values = find_tables(toolbox, {"corpus": "heights", "query": "height"}, allowed_to(""))
    assert len(words) <= WHOLE
    assert len(values["tables"]) + values["left"] == FILES
    assert values["left"] > 0
    assert len(orjson.dumps(values)) < 4 * WHOLE


def test_scattered_rows_are_listed_up_to_a_bound_and_the_rest_counted(toolbox: Toolbox) -> None:
    table = longest(toolbox)
    query = f"SELECT row_id FROM t1 WHERE {table['columns'][0]['name']}_num % 2 = 0"
    given = {"corpus": "heights", "tables": [table["id"]], "query": query, "operation": "count"}
    words, values = compute(toolbox, given, allowed_to(""))
    listed = [row for one in values["sources"] for row in one["locator"]["rows"]]
    assert (values["result"], len(listed)) == (str(ROWS // 2), RANGES)
    assert values["source_rows_left"] == ROWS // 2 - RANGES
    assert len(words) <= WHOLE
    assert len(orjson.dumps(values)) < 4 * WHOLE


def test_without_a_query_the_tables_are_described(toolbox: Toolbox) -> None:
    given = {"corpus": "heights", "tables": [longest(toolbox)["id"]]}
    words, values = compute(toolbox, given, allowed_to(""))
    assert [one["rows"] for one in values["tables"]] == [ROWS]
    assert words.startswith("t1: ")
