"""FiF computes over a whole table: the query is a step, and the answer cites exactly the rows that it selected."""

from pathlib import Path
from typing import Any

import pytest
from fixtures.drawn_pdf import GRID, lines, ruled
from fixtures.hashed_embedder import HashedEmbedder
from fixtures.state_after import state_after
from reportlab.pdfgen.canvas import Canvas

from backtrail.cli.show.records.hops import rows_used
from backtrail.graphs.fif import build
from backtrail.ingest.pipeline import ingest
from backtrail.nodes.compute_tables import carry_out
from backtrail.nodes.reading.citation_locations import place
from backtrail.state.compute_decisions import ComputePlan
from backtrail.state.fif.settings import FifSettings
from backtrail.state.settings import Budget, Settings
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.deciders.scripted import ScriptedDecider
from backtrail.tools.tables.offered_tables import offered_tables
from backtrail.tools.toolbox import Toolbox

QUESTION = "How many countries have zero beer servings?"
SETTINGS = Settings(corpus="drinks", planner="scripted", reader="scripted", fif=FifSettings(opening=1))
COUNTRIES = 450
"""More rows than one component holds."""
ZERO = [number for number in range(COUNTRIES) if number % 100 in (0, 1)]


@pytest.fixture(scope="module")
def drinks(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("drinks")
    rows = "\n".join(f"Country {n},{0 if n in ZERO else n},Region {n % 4}" for n in range(COUNTRIES))
    (folder / "files").mkdir()
    (folder / "files" / "drinks.csv").write_text(f"Country,Beer servings,Region\n{rows}\n", encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BACKTRAIL_HOME", str(folder / "home"))
        ingest([folder / "files"], "drinks", embedder="hashed", opened=HashedEmbedder())
        yield open_corpus("drinks", embedder=HashedEmbedder())


QUERY = "SELECT row_id, country AS label FROM t1 WHERE beer_servings_num = 0"


def tables_of(inputs: Any) -> list[str]:
    return [one.id for one in inputs.evidence if one.modality == "table"]


def judge(inputs: Any) -> dict[str, Any]:
    """Compute first, then answer from what was computed."""
    done = [one for one in inputs.evidence if one.modality == "computation"]
    if not done:
        assert inputs.may_compute
        action = {"kind": "compute", "subtask": QUESTION, "targets": tables_of(inputs)}
        return {"success": True, "action": action, "why": "It is counted."}
    citations = [{"component": done[0].id, "sentence": 0}]
    number = done[0].sentences[0].removeprefix("count: ")
    reading = {"short": number, "text": f"{number} countries have none.", "citations": citations, "supported": True,
               "confidence": 0.9}  # fmt: skip
    return {"success": True, "relevant": [done[0].id], "answer": reading, "why": "counted"}


async def ask(
    corpus: Any, plans: Any, settings: Settings = SETTINGS, **script: Any
) -> tuple[dict[str, Any], list[Any]]:
    decider = ScriptedDecider({"fif_advance": judge, "compute": plans, **script})
    toolbox = Toolbox(open_corpus=lambda name: corpus, open_decider=lambda model, settings: decider)
    return await state_after(build(toolbox), {"question": QUESTION}, settings), list(decider.history)


async def test_an_answer_cites_exactly_the_rows_that_were_counted(drinks):
    values, asked = await ask(drinks, [{"query": QUERY, "operation": "count"}])
    assert [one.decision for one in asked] == ["fif_advance", "compute", "fif_advance"]
    (table,) = asked[1].inputs.tables
    assert (table.rows, [column.kind for column in table.columns]) == (COUNTRIES, ["text", "number", "text"])
    step = values["hops"][-2]
    assert (step["kind"], step["outcome"], step["reason"]) == ("compute", "success", str(len(ZERO)))
    assert rows_used(step["computation"]) == f"{len(ZERO)} of {COUNTRIES} rows"
    assert values["answer"]["text"] == f"{len(ZERO)} countries have none."
    cited = values["answer"]["citations"]
    rows = [n for one in cited for first, last in one["locator"]["source_rows"] for n in range(first, last + 1)]
    assert rows == [number + 2 for number in ZERO]  # as the file counts them, with its header
    assert [one["locator"]["rows"] for one in cited] == [[[0, 1], [100, 101]], [[0, 1], [100, 101]], [[0, 1]]]
    assert cited[0]["quote"].startswith("Country: Country 0; Beer servings: 0; Region: Region 0\nCountry: Country 1;")
    assert place("table", cited[0]["locator"]).endswith("rows 2–3, 102–103, columns Country, Beer servings")
    assert values["ranking"][0]["id"] == cited[0]["component"]
    assert {"compute@1", "advance@1"} <= set(values["usage"])
    seen = next(one for one in asked[2].inputs.evidence if one.modality == "computation")
    assert seen.sentences[1:3] == [
        f"{len(ZERO)} of {COUNTRIES} rows were selected.",
        f"Among them: {'; '.join(f'Country {n}' for n in ZERO)}",
    ]


async def test_a_count_of_zero_cites_the_table_that_was_searched(drinks):
    none = QUERY.replace("= 0", "< 0")
    values, _ = await ask(drinks, [{"query": none, "operation": "count"}])
    first, *others = values["answer"]["citations"]
    assert (values["answer"]["short"], first["modality"], "rows" in first["locator"]) == ("0", "table", False)
    assert (first["quote"], len(others)) == ("Drinks", 2)


async def test_a_query_that_fails_is_written_again_with_its_error_in_view(drinks):
    plans = [
        {"query": "SELECT row_id FROM t1 WHERE beer = 0", "operation": "count"},
        {"query": QUERY, "operation": "count"},
    ]
    values, asked = await ask(drinks, plans)
    assert [one.decision for one in asked] == ["fif_advance", "compute", "compute", "fif_advance"]
    (earlier,) = asked[2].inputs.earlier
    assert '"beer" not found' in earlier.error
    assert [(hop["kind"], hop["outcome"]) for hop in values["hops"][-3:]] == [
        ("compute", "failure"),
        ("compute", "success"),
        ("stop", "success"),
    ]


@pytest.mark.parametrize(
    ("plans", "decisions"),
    [
        ([{"query": "SELECT row_id FROM t1 WHERE beer_servings_num = -1", "operation": "list"}] * 2, 2),
        ([{"query": "", "why": "No table has servings of wine."}], 1),
    ],
)
async def test_what_cannot_be_computed_goes_back_to_the_next_decision(drinks, plans, decisions):
    def give_up(inputs: Any) -> dict[str, Any]:
        if inputs.hop.kind == "opening":
            return judge(inputs)
        assert (inputs.hop.kind, inputs.hop.outcome) == ("compute", "failure")
        reading = {"text": inputs.hop.reason, "citations": [], "supported": False, "confidence": 0.0}
        return {"success": False, "answer": reading, "why": "no"}

    plans = [plans[0], {**plans[-1], "query": f"{plans[-1]['query']} AND true"}] if decisions == 2 else plans
    values, asked = await ask(drinks, plans, fif_advance=give_up)
    assert [one.decision for one in asked].count("compute") == decisions
    assert values["answer"]["abstained"]


async def test_a_reader_of_its_own_can_cite_a_computation(drinks):
    def read(inputs: Any) -> dict[str, Any]:
        done = next(one for one in inputs.evidence if one.modality == "computation")
        return {"short": "8", "text": "8", "citations": [{"component": done.id, "sentence": 0}], "supported": True,
                "confidence": 0.9}  # fmt: skip

    settings = SETTINGS.model_copy(update={"reader": "another"})
    values, _ = await ask(drinks, [{"query": QUERY, "operation": "count"}], settings, answer=read)
    assert [one["locator"]["rows"][0] for one in values["answer"]["citations"]] == [[0, 1]] * 3


async def test_nothing_is_computed_where_it_is_switched_off_or_no_step_is_left(drinks):
    off = SETTINGS.model_copy(update={"fif": FifSettings(opening=1, compute=False)})
    refused: list[str] = []

    def wants(inputs: Any) -> dict[str, Any]:
        refused.append(str(inputs.may_compute))
        reading = {"text": "unknown", "citations": [], "supported": False, "confidence": 0.0}
        return {"success": False, "answer": reading, "why": "no"}

    await ask(drinks, [], off, fif_advance=wants)
    assert refused == ["False"]
    unread = {"text": "unknown", "citations": [], "supported": False, "confidence": 0.0}
    one_step = SETTINGS.model_copy(update={"budget": Budget(steps=1)})
    values, asked = await ask(drinks, [], one_step, answer=lambda inputs: unread)
    assert "compute" not in [one.decision for one in asked]
    assert values["stop_reason"] == "budget:steps"


# --- a table that goes on in the next section of a long file -----------------------------------------
PROSE = "What the river carries it drops where the current slows, and so the bank grows."
TABLES = {
    ("Geography", 7): [["Nile", "6650"], ["Ob", "3650"]],
    ("Chemistry", 0): [["Elbe", "1094"], ["Rhine", "1230"]],
    ("Economy", 7): [["Spree", "400"], ["Havel", "325"]],
}
"""Rows on a page of a chapter; the first two tables are on consecutive pages, the third is far away."""


@pytest.fixture(scope="module")
def handbook(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("handbook")
    (folder / "files").mkdir()
    write(folder / "files" / "rivers.pdf")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BACKTRAIL_HOME", str(folder / "home"))
        ingest([folder / "files"], "rivers", embedder="hashed", opened=HashedEmbedder())
        yield open_corpus("rivers", embedder=HashedEmbedder())


def write(path: Path) -> None:
    sheet = Canvas(str(path), pagesize=(400, 500))
    sheet.setTitle("Handbook")
    lines(sheet, 40, 460, "Front matter of the handbook.")
    for name in ("Geography", "Chemistry", "Economy"):
        for page in range(8):
            sheet.showPage()
            if page == 0:
                sheet.bookmarkHorizontal(name, 40, 480)
                sheet.addOutlineEntry(name, name, level=0)
                lines(sheet, 40, 460, name)
            lines(sheet, 40, 430, *(PROSE[:70] for _ in range(8)))
            if rows := TABLES.get((name, page)):
                ruled([["River", "Length in km"], *rows], 40, 230, GRID, widths=120, heights=18)(sheet)
    sheet.save()


def table_of(corpus: Any, chapter: str) -> str:
    components = corpus.components(corpus.children([f"rivers.pdf/{chapter}"])[f"rivers.pdf/{chapter}"])
    (found,) = [key for key, one in components.items() if one.table]
    return found


@pytest.mark.parametrize("named", ["geography", "chemistry"])
def test_either_part_gives_the_whole_table(handbook: Any, named: str) -> None:
    parts = [table_of(handbook, "geography"), table_of(handbook, "chemistry")]
    tables = offered_tables(handbook, [table_of(handbook, named)])
    assert [one.components for one in tables] == [tuple(parts)]
    done = carry_out("", ComputePlan(query="SELECT row_id, length_in_km_num AS value FROM t1", operation="sum"), tables)
    assert (done["result"], [rows["component"] for rows in done["rows"]]) == ("12624", parts)


def test_a_table_of_the_same_header_far_away_is_another_and_names_follow_the_order_asked(handbook: Any) -> None:
    tables = offered_tables(handbook, [table_of(handbook, "economy"), table_of(handbook, "geography")])
    assert [(one.name, len(one.rows)) for one in tables] == [("t1", 2), ("t2", 4)]
