"""A table that goes on in the next section of a long PDF, which is another document, is computed over as one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from fixtures.drawn_pdf import GRID, lines, ruled
from fixtures.hashed_embedder import HashedEmbedder
from reportlab.pdfgen.canvas import Canvas

from backtrail.ingest.pipeline import ingest
from backtrail.nodes.compute_tables import carry_out
from backtrail.state.compute_decisions import ComputePlan
from backtrail.tools.corpus.open import open_corpus
from backtrail.tools.tables.offered_tables import offered_tables

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
