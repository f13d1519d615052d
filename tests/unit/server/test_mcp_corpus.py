"""Tools of MCP: which corpus they ask where several could be meant, and that answers over tables stay small."""

import json
from typing import Any

import orjson
import pytest
from fixtures.hashed_embedder import HashedEmbedder

from backtrail.ingest.pipeline import ingest
from backtrail.server import mcp_corpus
from backtrail.server.mcp_tables import RANGES, WHOLE, compute, find_tables
from backtrail.server.mcp_tools import own_answer
from backtrail.state.settings import Settings
from backtrail.tools.access.credentials import allowed_to
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.toolbox import Toolbox


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    names: list[str] = []
    monkeypatch.setattr(mcp_corpus, "readable_corpora", lambda _: dict.fromkeys(names, ""))
    return names


def called(tool: str = "fif", **arguments: Any) -> tuple[Any, str]:
    """The corpus that is asked, and what is said instead."""
    sent = {"id": 3, "method": "tools/call", "params": {"name": tool, "arguments": {"question": "x", **arguments}}}
    body, problem = mcp_corpus.with_meant_corpus(json.dumps(sent).encode(), allowed_to(""))
    asked = json.loads(body)["params"]["arguments"]
    return asked.get("corpus"), problem["result"]["content"][0]["text"] if problem else ""


def test_the_named_the_default_the_only_one_or_a_question_back(held: list[str]) -> None:
    assert called() == (None, "There is no corpus.")
    held += ["boats"]
    assert called() == ("boats", "")
    held += ["trains"]
    assert called() == (None, "Which corpus is meant? Give its name as 'corpus'; there are: boats, trains.")
    assert called(corpus="trains") == ("trains", "")
    assert called("search") == called("desk") == (None, ""), "neither is a method"
    held += ["examples"]
    assert called() == ("examples", ""), "the default"


@pytest.mark.parametrize("body", [b"", b"[]", b"5", b'{"method":"tools/call"}', b'{"method":"ping","params":{}}'])
def test_what_is_no_call_stays_as_it_came(body: bytes) -> None:
    assert mcp_corpus.with_meant_corpus(body, allowed_to("")) == (body, None)


def test_a_run_has_the_corpus_as_a_setting_and_an_ingest_keeps_it() -> None:
    run = {"assistant_id": "a", "input": {"question": "x", "corpus": "boats"}}
    asked = {"assistant_id": "a", "input": {"question": "x"}}
    assert mcp_corpus.as_setting(run) == {**asked, "context": {"corpus": "boats"}}
    assert mcp_corpus.as_setting({**run, "context": {"k": 3}}) == {**asked, "context": {"k": 3, "corpus": "boats"}}
    ingest = {"assistant_id": "a", "input": {"corpus": "boats"}}
    assert mcp_corpus.as_setting(ingest) == ingest


def test_a_tool_needs_the_corpus_where_none_is_meant() -> None:
    tool = {"name": "fif", "inputSchema": {"type": "object", "properties": {"question": {}}, "required": ["question"]}}
    schema = mcp_corpus.with_corpus_input(tool, ["boats", "trains"], "")["inputSchema"]
    assert (schema["required"], schema["properties"]["corpus"]["enum"]) == (["question", "corpus"], ["boats", "trains"])
    assert mcp_corpus.with_corpus_input({**tool, "name": "desk"}, ["boats"], "") == {**tool, "name": "desk"}


@pytest.mark.parametrize("params", [[1], "x", 5])
def test_parameters_that_are_no_object_are_told_so(params: Any) -> None:
    sent = json.dumps({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": params}).encode()
    answer = own_answer(sent, lambda: allowed_to(""))
    assert (answer["id"], answer["error"]["code"]) == (3, -32602)
    assert own_answer(sent.replace(b'"params"', b'"other"'), lambda: allowed_to("")) is None


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
