"""The offline rules of MMAPG: which node is grown next, and what is sought and made of texts."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backtrail.language.shorten import LEFT_OUT, shortened
from backtrail.nodes.mmapg.retrieval_query import sought
from backtrail.rules.mmapg.compile import compile_findings
from backtrail.rules.mmapg.conflicts import conflicts
from backtrail.rules.mmapg.examine import examine_text
from backtrail.rules.mmapg.overall_plan import overall_plan
from backtrail.rules.mmapg.plan import plan
from backtrail.rules.mmapg.queries import image_queries, text_queries
from backtrail.rules.mmapg.split import split
from backtrail.state.mmapg.examine_decisions import Examined, ExamineTextInputs
from backtrail.state.mmapg.planning_decisions import (
    PLAN,
    Choices,
    KeyPart,
    NextNode,
    NodeView,
    OverallPlanInputs,
    PlanInputs,
)
from backtrail.state.mmapg.retrieval_decisions import (
    COMPILE,
    CompileInputs,
    FindingView,
    ImageQueriesInputs,
    SplitInputs,
    TextQueriesInputs,
)

QUESTION = "Who designed the bridge that opened in 1909?"


def view(key: str, kind: str, status: str, instruction: str = QUESTION, **fields: Any) -> NodeView:
    given: dict[str, Any] = {"within": "corpus", "content": "c", "parents": ["n0"], "added": 2, **fields}
    return NodeView(id=key, type=kind, status=status, instruction=instruction, **given)  # type: ignore[arg-type]


ROOT = view("n0", "question", "asked", parents=[])


def inputs(*nodes: NodeView, plan: list[KeyPart] | None = None, question: str = QUESTION, **choices: Any) -> PlanInputs:
    return PlanInputs(
        question=question,
        overall_plan=plan or [KeyPart(text="the bridge that opened in 1909"), KeyPart(text=QUESTION, needs=[0])],
        nodes=[ROOT, *nodes],
        turns_left=choices.pop("turns_left", 8),
        choices=Choices(**{"side_by_side": False, "links": True, "single_path": False, **choices}),
    )


def next_node(given: PlanInputs) -> NextNode:
    proposed = plan(given)
    assert not PLAN.check(given, proposed)
    assert len(proposed.nodes) == 1
    return proposed.nodes[0]


PART = "the bridge that opened in 1909"
FOUND = view("n1", "retrieval", "found")
LINKED = view("n1", "retrieval", "found", links=4)
TITLED = view("n1", "retrieval", "found", sources=["Urania bridge", "Lamps"])
NAMED = view("n1", "retrieval", "found", names=["Urania"])
NOTHING = view("n1", "retrieval", "nothing found")
ALONG = view("n2", "retrieval", "found", within="links", parents=["n1"])
UNANSWERED = view("n2", "answer", "unanswered", parents=["n1"])
OF_PART = view("n3", "retrieval", "nothing found", PART)
OF_NAME = view("n4", "retrieval", "nothing found", f"{QUESTION} Urania")


@pytest.mark.parametrize(
    ("nodes", "choices", "expected"),
    [
        ([], {}, {"type": "retrieval", "parents": ["n0"], "instruction": QUESTION, "within": "corpus"}),
        # the links of what was found; where there are none, or no turns, it is read
        ([LINKED], {}, {"parents": ["n1"], "within": "links"}),
        ([LINKED, ALONG], {}, {"type": "answer", "parents": ["n1", "n2"]}),
        ([LINKED], {"turns_left": 1}, {"type": "answer"}),
        # what else names a find that leads nowhere
        ([TITLED], {}, {"parents": ["n1"], "within": "corpus", "instruction": f"{QUESTION} Urania bridge"}),
        ([TITLED.model_copy(update={"coverage": 0.96})], {}, {"type": "answer"}),
        # another branch, then names, then a stop
        ([NOTHING], {}, {"type": "retrieval", "parents": ["n0"], "instruction": PART}),
        ([NAMED, UNANSWERED, OF_PART], {}, {"instruction": f"{QUESTION} Urania"}),
        ([NAMED, UNANSWERED, OF_PART, OF_NAME], {}, {"type": "stop"}),
        ([FOUND, UNANSWERED, view("n3", "retrieval", "found", PART, added=1)], {}, {"parents": ["n1", "n3"]}),
        ([FOUND, view("n2", "answer", "answered")], {}, {"type": "stop"}),
        # on a single path each node follows the last
        ([LINKED, UNANSWERED], {"single_path": True}, {"type": "retrieval", "parents": ["n2"]}),
    ],
)
def test_the_node_that_is_grown_next(nodes: list[NodeView], choices: dict[str, Any], expected: dict[str, Any]) -> None:
    grown = next_node(inputs(*nodes, **choices))
    assert {key: getattr(grown, key) for key in expected} == expected


def test_the_sides_of_a_comparison_are_looked_up_together_where_that_is_allowed() -> None:
    question = "Which is older, the Urania bridge or the Malone bridge?"
    parts = overall_plan(OverallPlanInputs(question=question)).components
    sides = [part.text for part in parts if not part.needs]
    assert len(sides) == 2
    together = plan(inputs(plan=parts, question=question, side_by_side=True))
    assert [node.instruction for node in together.nodes] == sides
    assert len(plan(inputs(plan=parts, question=question)).nodes) == 1


STATUSES = st.sampled_from(
    [
        ("retrieval", "found"), ("retrieval", "nothing found"), ("retrieval", "refused"),
        ("answer", "answered"), ("answer", "unanswered"), ("question", "asked"),
    ]
)  # fmt: skip
GRAPHS = st.lists(st.tuples(STATUSES, st.sampled_from([QUESTION, "a part", "b"]), st.integers(0, 2)), max_size=7)


@given(GRAPHS, st.booleans(), st.booleans(), st.text(max_size=40))
def test_whatever_the_graph_is_the_next_node_fits_it(graph: list[Any], links: bool, path: bool, question: str) -> None:
    nodes = [
        view(f"n{place}", kind, status, text, links=count, added=count, names=["Urania"])
        for place, ((kind, status), text, count) in enumerate(graph, start=1)
    ]
    made = inputs(*nodes, question=question.strip() or "?", links=links, single_path=path)
    assert not PLAN.check(made, plan(made))


@pytest.mark.parametrize(
    ("instruction", "kind"),
    [
        ("Who founded the town of Mirne?", "none"),
        ("Film whose poster shows a lighthouse", "descriptive"),
        ("How many people are on the poster of Night Ferry?", "targeted"),
    ],
)
def test_what_speaks_of_a_picture_is_looked_for_among_pictures_too(instruction: str, kind: str) -> None:
    parts = split(SplitInputs(instruction=instruction, parents=[]))
    assert (parts.text_part, parts.image_kind) == (instruction, kind)
    assert bool(parts.image_part) == (kind != "none")


def test_queries_are_the_part_and_the_names_it_says() -> None:
    part = "Who designed the Urania Bridge in Vienna?"
    assert text_queries(TextQueriesInputs(text_part=part)).queries == [part, "Urania Bridge"]
    named = image_queries(
        ImageQueriesInputs(image_part="Is there a light on the poster of Night Ferry?", image_kind="targeted")
    )
    assert named.queries == ["Night Ferry"]
    shown = image_queries(ImageQueriesInputs(image_part="a red flag with a star", image_kind="descriptive"))
    assert shown.queries == ["a red flag with a star"]


def candidate(coverage: float, text: str = "Rain. Josef designed the bridge.", **fields: Any) -> Examined:
    return Examined(id="c", modality="text", title="Urania", entries=[], text=text, coverage=coverage, **fields)


def test_a_candidate_is_related_by_what_it_covers_and_is_quoted() -> None:
    related = examine_text(ExamineTextInputs(instruction="Who designed the bridge?", candidate=candidate(0.7)))
    assert related.related
    assert "Josef designed the bridge." in related.says
    for weak in (candidate(0.3), candidate(0.0, similarity=1.0)):  # similarity alone is no relation
        assert not examine_text(ExamineTextInputs(instruction="x", candidate=weak)).related
    linked = candidate(0.1, path_coverage=0.8, linking_piece="Name is Urania; Opened is 1909")
    assert examine_text(ExamineTextInputs(instruction="x", candidate=linked)).says.startswith("Name is Urania")


def finding(key: str, says: str, document: str = "d") -> FindingView:
    return FindingView(component=key, document=document, title=key.upper(), modality="text", says=says, fit=1.0)


def test_findings_are_put_together_within_the_bound() -> None:
    findings = [finding(f"c{n}", "x" * 600) for n in range(5)]
    made = CompileInputs(instruction="i", findings=findings, keep=3)
    compiled = compile_findings(made)
    assert compiled.sources == ["c0", "c1", "c2"]
    assert len(compiled.content) <= 1000
    assert not COMPILE.check(made, compiled)
    assert not compile_findings(CompileInputs(instruction="i", findings=[], keep=3)).found


@given(st.lists(st.text(min_size=1, max_size=700), max_size=6), st.integers(1, 4))
def test_whatever_was_found_the_compilation_is_valid(texts: list[str], keep: int) -> None:
    findings = [finding(f"c{n}", text, f"d{n}") for n, text in enumerate(texts)]
    made = CompileInputs(instruction="i", findings=findings, keep=keep)
    assert not COMPILE.check(made, compile_findings(made))


def said(*texts: str) -> list[str]:
    return conflicts([(f"d{place}", f"T{place}", text) for place, text in enumerate(texts)])


def test_the_same_said_with_another_number_is_a_contradiction() -> None:
    [conflict] = said("It rains. The Mirne tower was completed in 1931.", "The Mirne tower was completed in 1947.")
    assert "T0" in conflict
    assert "1931" in conflict
    assert "1947" in conflict


@pytest.mark.parametrize(
    "texts",
    [
        ("The Mirne tower was completed in 1931.", "The Mirne tower was completed in 1931."),
        ("The Mirne tower was completed in 1931.", "The Orvane bridge was painted in 1947."),
        ("Voyager 1 left the solar system for good.", "Voyager 2 left the solar system for good."),
    ],
)
def test_what_is_not_the_same_does_not_contradict(texts: tuple[str, ...]) -> None:
    assert said(*texts) == []
    assert conflicts([("d", "T", text) for text in texts]) == []  # no document contradicts itself


@given(st.text(max_size=400), st.text(max_size=40), st.integers(60, 300))
def test_shortened_text_stays_within_its_bound_and_shows_what_was_cut(text: str, about: str, bound: int) -> None:
    short = shortened(text, about, bound)
    assert len(short) <= max(bound, 60)
    assert short == text or LEFT_OUT in short


@pytest.mark.parametrize(
    ("text_part", "image_part", "together"),
    [
        ("Director of the film", "Poster with a lighthouse", "Director of the film; Poster with a lighthouse"),
        ("", "Poster with a lighthouse", "Poster with a lighthouse"),
        ("Lamps in the photo of it", "the photo of it", "Lamps in the photo of it"),
    ],
)
def test_both_parts_are_told_apart_and_nothing_is_said_twice(text_part: str, image_part: str, together: str) -> None:
    assert sought(text_part, image_part) == together
