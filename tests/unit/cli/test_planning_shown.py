"""How planning graphs are shown: as a tree, as Mermaid, as SVG; and how methods are compared."""

from __future__ import annotations

import re
from io import StringIO
from typing import Any
from xml.etree import ElementTree

from rich.console import Console

from backtrail.cli.commands.compare import Compared, as_plain, overlap
from backtrail.cli.commands.run_graph import Run
from backtrail.cli.show.planning.lines import planning_tree, summary_line
from backtrail.cli.show.planning.mermaid import planning_mermaid
from backtrail.cli.show.planning.svg import assign_lanes, planning_svg
from backtrail.cli.show.titles import Titles
from backtrail.state.mmapg.planning_graph import PlanningNode, broken_invariants, root_node
from backtrail.state.settings import Settings
from backtrail.state.variant import from_label
from backtrail.tools.corpus.errors import CorpusNotFound

SEARCH: Any = {
    "text_queries": ["a", "b"], "image_queries": ["c"], "image_question": "?", "image_kind": "targeted",
    "text_base": "triplets", "image_base": "pixels", "text_radius": 0.55, "image_radius": 0.75, "entries": 41,
    "examined": 20, "capped": True,
}  # fmt: skip


def node(key: str, kind: str, status: str, *parents: str, **changes: Any) -> PlanningNode:
    made: Any = {
        "id": key, "kind": kind, "step": int(key[1:]), "parents": list(parents), "instruction": f"look {key}",
        "within": "corpus", "content": f"content {key}", "sources": [], "status": status, "why": f"why {key}",
    }  # fmt: skip
    return {**made, **changes}


NODES = [
    root_node('Why "<b>" & [x] \x00?'),
    node("n1", "retrieval", "nothing found", "n0", search=SEARCH),
    node("n2", "retrieval", "refused", "n0"),
    node("n3", "retrieval", "found", "n0", sources=["c1", "c2"], conflicts=["A says 1, B says 2."]),
    node("n4", "answer", "answered", "n1", "n3", sources=["c1"]),
    node("n5", "stop", "stopped", "n4", instruction=""),
]


def gone() -> Any:
    raise CorpusNotFound("tiny", [])


def tree() -> str:
    evidence: Any = {"c1": {"document": "d1", "title": "Tower", "modality": "table"}}
    titles = Titles(gone)
    titles.note(evidence)
    console = Console(file=StringIO(), width=140, highlight=False)
    console.print(planning_tree(NODES, titles, evidence))
    return console.file.getvalue()  # type: ignore[attr-defined]


def test_the_tree_marks_dead_ends_and_names_other_parents() -> None:
    shown = tree()
    assert broken_invariants(NODES) == []
    assert "n1 ✗ retrieval  [dead end: nothing found]" in shown
    assert "n2 ⊘ retrieval  [dead end: refused]" in shown
    assert "n4 ● answer  also from n1" in shown
    assert "triplets within 0.55, 2 queries; targeted pictures by pixels within 0.75: 41 entries, 20 examined" in shown
    assert "(the bound was hit)" in " ".join(shown.split())
    assert "Tower (table); c2" in shown
    assert "! A says 1, B says 2." in shown
    assert shown.index("n0 ") < shown.index("n3 ") < shown.index("n4 ") < shown.index("n5 "), "below the last parent"
    assert summary_line(NODES) == "6 nodes, 2 dead ends, 2 of them recovered from"


def test_mermaid_has_every_node_and_edge_and_no_markup_of_the_question() -> None:
    drawn = planning_mermaid(NODES)
    lines = drawn.splitlines()
    assert lines[0] == "flowchart TD"
    assert sum(":::" in line for line in lines) == len(NODES)
    assert "    n0 -.-> n1" in lines
    assert {"    n1 --> n4", "    n3 --> n4"} <= set(lines)
    assert sum(":::dead" in line for line in lines) == 2
    root = next(line for line in lines if line.startswith("    n0(["))
    assert root.count('"') == 2
    assert "<b>" not in root


def test_the_drawing_is_well_formed_marks_dead_ends_and_covers_no_box() -> None:
    drawn = ElementTree.fromstring(planning_svg(NODES))
    boxes = drawn.findall(".//{*}g/{*}rect")
    assert len(boxes) == len(NODES)
    assert sum(box.get("stroke-dasharray") is not None for box in boxes) == 2
    assert len(drawn.findall(".//{*}path")) == sum(len(one["parents"]) for one in NODES)
    together = [root_node("Why?"), *(node(f"n{n}", "retrieval", "refused", "n0", step=1) for n in (1, 2, 3))]
    for nodes in (NODES, together):
        lanes = assign_lanes(nodes)
        assert len({(lanes[one["id"]], one["step"]) for one in nodes}) == len(nodes)


def test_a_line_passes_behind_no_box_on_its_way_down() -> None:
    branches = [node("n2", "retrieval", "found", "n0", sources=["c"]), node("n3", "answer", "answered", "n2")]
    far = [node("n4", "answer", "unanswered", "n1"), node("n5", "answer", "answered", "n0", "n4")]
    drawn = ElementTree.fromstring(planning_svg([*NODES[:2], *branches, *far]))
    shapes = drawn.findall(".//{*}g/{*}rect")
    boxes = [[int(box.get(key, 0)) for key in ("x", "y", "width", "height")] for box in shapes]
    lines = " ".join(path.get("d", "") for path in drawn.findall(".//{*}path"))
    ways = re.findall(r"C[\d,]+ [\d,]+ (\d+),(\d+) V(\d+)", lines)
    assert ways
    for at, top, bottom in (map(int, way) for way in ways):
        for x, y, width, height in boxes:
            assert not x <= at <= x + width or bottom <= y or top >= y + height


def asked(name: str, values: Any, error: str = "") -> Compared:
    method, variant = from_label(name)
    return Compared(Run(f"thread of {name}", method, Settings(variant=variant or "ours")), values, 0.5, error)


def test_evidence_overlap_is_the_share_in_common() -> None:
    assert overlap(["a", "b"], ["b", "c"]) == 1 / 3
    assert overlap([], []) is None
    ranked: Any = {"ranking": [{"id": "a", "score": 1.0}], "answer": {"text": "x", "citations": []}}
    made = as_plain("Q?", [asked("fif", ranked), asked("fif:published", {}, "Boom: no")])
    assert made["evidence_overlap"] == {"fif": {"fif:published": 0.0}, "fif:published": {"fif": 0.0}}
    assert [one["variant"] for one in made["methods"]] == ["ours", "published"]
    assert [one["error"] for one in made["methods"]] == [None, "Boom: no"]
