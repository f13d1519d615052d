"""How runs are shown: hops, searches, answers, costs, the page; and what was written into a state."""

import io
import json
from io import StringIO
from typing import Any, get_type_hints

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from langgraph.types import Overwrite
from rich.console import Console

from backtrail.cli.commands.trace import distinct
from backtrail.cli.show.answer_lines import cost_table, show_answer
from backtrail.cli.show.live_progress import Live
from backtrail.cli.show.records.find import views_of
from backtrail.cli.show.records.hops import hop_lines
from backtrail.cli.show.records.subqueries import subquery_lines
from backtrail.cli.show.records.view import Shown
from backtrail.cli.show.run_summary import hops_summary
from backtrail.cli.show.titles import Titles
from backtrail.cli.show.trace_lines import show_trace
from backtrail.cli.show.trace_record import Trace
from backtrail.graphs.methods import METHODS
from backtrail.graphs.state_values import fitting, unfit
from backtrail.nodes.reading.citation_locations import place
from backtrail.server.ui.run_html import RunState, run_html
from backtrail.server.ui.sources import Source
from backtrail.state.settings import Settings
from backtrail.state.usage import charge
from backtrail.tools.corpus.errors import CorpusNotFound
from backtrail.tools.toolbox import Toolbox

PIECE: Any = {
    "component": "io#1", "modality": "image", "document": "io", "title": "Io", "snippet": "plumes",
    "locator": {}, "score": 0.5, "coverage": 0.5, "hop": 0, "query": "q0",
}  # fmt: skip
EVIDENCE: Any = {"io#1": PIECE, "io#2": {**PIECE, "component": "io#2", "modality": "text", "score": 0.9}}
HOP: Any = {
    "step": 1, "kind": "traverse", "subquery_id": "q0", "subquery": "Which [moon]?", "anchor_step": 0,
    "anchors": ["io", "gone"], "strategy": {"scope": "local", "granularity": "component", "reasoning": "both"},
    "documents": [{"id": "io", "score": 0.5}],
    "components": [{"id": "io#1", "score": 0.5}, {"id": "x#1", "score": 0.25}, {"id": "x#2", "score": 0.125}],
    "outcome": "failure", "reason": "not <it>", "why": "cheapest", "resolved": ["q1"],
}  # fmt: skip
VALUES: Any = {
    "question": "Which <script>?",
    "subqueries": [
        {"id": "q0", "text": "One?", "depends_on": [], "status": "answered", "answer": "Io", "planned_at": 0},
        {"id": "q1", "text": "Two?", "depends_on": ["q0"], "status": "open", "answer": "", "planned_at": 0},
    ],
    "hops": [HOP, {**HOP, "step": 2, "outcome": "refused", "components": []}],
    "evidence": EVIDENCE,
    "ranking": [{"id": "io#1", "score": 0.7}],
    "usage": {
        "evaluate@0": charge(calls=1, input_tokens=100, cost_usd=0.25, stage="model", seconds=2.0),
        "evaluate@1": charge(calls=1, input_tokens=50, stage="model", seconds=1.0),
        "traverse@0": charge(stage="vectors", seconds=0.5),
        "backtrack@0": charge(),
    },
    "failures": [{"id": "plan@1", "node": "plan", "step": 1, "error": "DecisionFailed", "message": "no JSON"}],
    "stop_reason": "stop",
    "answer": {
        "text": "Io has [plumes].", "confidence": 0.5, "abstained": False,
        "citations": [
            {
                "component": "io#1", "document": "io", "title": "Io", "section": "Plumes", "modality": "table",
                "locator": {"page": 3, "row": 0, "blob": "ab" * 32}, "quote": "nine plumes",
            }
        ],
    },
}  # fmt: skip


def absent() -> Any:
    raise CorpusNotFound("gone", [])


def titles() -> Titles:
    known = Titles(absent)
    known.note(EVIDENCE)
    return known


def text(*lines: Any) -> str:
    console = Console(file=StringIO(), width=200, highlight=False)
    for line in lines:
        console.print(line, soft_wrap=True)
    return console.file.getvalue()  # type: ignore[attr-defined]


def test_a_hop_and_subqueries_in_a_few_lines() -> None:
    shown = text(*hop_lines(HOP, titles(), EVIDENCE, found=2))
    assert "1 ✗ traverse Which [moon]?" in shown
    assert "local · component · reasoning on both stages" in shown
    assert "step 0: Io, gone" in shown
    assert "Io (image) 0.50; x#1 0.25; and 1 more" in shown
    assert "not <it>" in shown
    total = text(cost_table(VALUES["usage"])).splitlines()[-1]
    assert total.split() == ["total", "2", "150", "0", "0.2500", "3.00", "0.50"]
    lines = text(*subquery_lines(VALUES["subqueries"])).splitlines()
    assert lines == ["    ● q0 One?  → Io", "    ○ q1 Two?  after q0"]


def test_an_answer_with_its_places() -> None:
    console = Console(file=StringIO(), width=200)
    show_answer(VALUES, console)
    shown = console.file.getvalue()  # type: ignore[attr-defined]
    assert "Io has [plumes]." in shown
    assert "[1] Io › Plumes  table, page 3, row 1, picture abababababab" in shown
    assert "“nine plumes”" in shown
    assert place("text", {"sentence": 1, "fragment": "p2"}) == "text, sentence 2, #p2"


@pytest.mark.parametrize("trail", [True, False])
def test_on_a_terminal_failures_of_the_run_are_shown_between_its_steps(trail: bool) -> None:
    console = Console(file=StringIO(), width=80, height=30, force_terminal=True)
    live = Live(console, titles(), METHODS["fif"], shown=True, trail=trail)
    live.start()
    live.event("updates", {"contextualize": {"hops": Overwrite([]), "evidence": Overwrite({})}})
    live.event("tasks", {"name": "evaluate", "triggers": ()})
    live.event("updates", {"evaluate": {"hops": [HOP], "evidence": EVIDENCE}})
    live.event("updates", {"plan": {"failures": VALUES["failures"]}})
    live.stop()
    shown = console.file.getvalue()  # type: ignore[attr-defined]
    assert "traverse" in shown
    assert "! plan: no JSON" in shown


def test_the_page_escapes_what_was_retrieved_or_said() -> None:
    trace = Trace("t1", "fif", Settings(corpus="moons"), VALUES, (), titles(), "t0", "4")
    source = Source(1, "<b>Io", "picture", quote="<i>nine", picture=f"/blobs/{'ab' * 32}?corpus=moons")
    page = run_html(trace, RunState(sources=[source]))
    assert "Which &lt;script&gt;?" in page
    assert "<script" not in page
    assert "not &lt;it&gt;" in page
    assert "&lt;b&gt;Io" in page
    assert f'src="/blobs/{"ab" * 32}?corpus=moons"' in page
    assert "forked from t0 at step 4" in page
    assert "fif · variant ours · corpus moons" in page


def test_an_unfinished_trace_shows_no_answer_of_the_question_before() -> None:
    trace = Trace("t1", "fif", Settings(), VALUES, ("evaluate",), titles())
    assert "Io has [plumes]." not in run_html(trace, RunState())
    assert "Not finished" in run_html(trace, RunState())
    shown = trace.as_json()
    assert (shown["answer"], shown["finished"], shown["next"], shown["refused"]) == (None, False, ["evaluate"], [2])
    assert shown["titles"] == {"io": "Io", "gone": "gone"}


def hop(step: int, outcome: str, *found: str, kind: str = "traverse") -> dict[str, Any]:
    return {"step": step, "kind": kind, "outcome": outcome, "components": [{"id": name, "score": 1} for name in found]}


def values(*hops: Any, cited: tuple[str, ...] = (), abstained: bool = False, stop_reason: str = "stop") -> Any:
    citations = [{"component": name} for name in cited]
    answer = {"text": "x", "abstained": abstained, "citations": citations, "confidence": 0.5}
    return {"hops": list(hops), "answer": answer, "stop_reason": stop_reason}


NONE = "No step settled the question by itself"
COLD = (hop(0, "failure", "a#1"), hop(1, "failure", "a#1", "b#1"), hop(2, "success", kind="plan"))


@pytest.mark.parametrize(
    ("run", "words"),
    [
        (values(*COLD, cited=("b#1", "a#1")), f"{NONE}; the answer was read from what was found in steps 0 and 1."),
        (values(*COLD, abstained=True), f"{NONE}; their evidence supports no answer well enough."),
        (values(cited=("a#1",)), ""),
    ],
)
def test_a_run_of_cold_hops_says_what_its_answer_rests_on(run: Any, words: str) -> None:
    assert hops_summary(run) == words


@given(st.lists(st.text("0123456789abcdef-", min_size=8, max_size=36), unique=True))
def test_as_many_letters_are_shown_as_tell_threads_apart(ids: list[str]) -> None:
    shown = distinct(ids)
    assert shown >= 8
    assert len({id_[:shown] for id_ in ids}) == len(ids)


def a_search(round_: int, query: str, outcome: str = "found", **fields: Any) -> Any:
    return {
        "id": f"search_text@{round_}.0", "round": round_, "kind": "text", "query": query, "found": [], "requests": 1,
        "seconds": 0.1, "outcome": outcome, "reason": "", **fields,
    }  # fmt: skip


ROUND: Any = {"index": 1, "queries": ["a", "b"], "action": "text search", "found": [], "why": "facts are missing"}


def history(method: str, **values: Any) -> list[str]:
    views = views_of(METHODS[method])
    told = {number for view in views for number in view.numbers(values)}
    return lines(*(line for view in views for line in view.lines(Shown(values, titles(), told))))


def lines(*shown: Any) -> list[str]:
    return [" ".join(line.plain.split()) for line in shown if line.plain]


def test_a_round_is_followed_by_its_searches() -> None:
    searches = [a_search(1, "a"), a_search(2, "c", "refused", reason="The same search was done in round 1.")]
    assert history("cogplanner", rounds=[ROUND], searches=searches) == [
        "1 text search a; b",
        "why facts are missing",
        "✓ text: a",
        "⊘ text: c",
        "refused The same search was done in round 1.",
    ]
    turn: Any = {"index": 1, "thought": "", "subquestion": "Which?", "action": "search text", "query": "a"}
    assert history("omnisearch", turns=[turn], searches=searches[:1]) == ["1 search text Which?", "✓ text: a"]


def test_an_attempt_says_how_its_draft_was_judged() -> None:
    attempt: Any = {
        "round": 1, "query": "a", "relevant": [], "drafts": 1, "grounded": True, "useful": False, "why": "another year",
    }  # fmt: skip
    judged = [attempt, {**attempt, "round": 2, "grounded": False}, {**attempt, "round": 3, "grounded": None}]
    judged += [{**attempt, "round": 4, "drafts": 0, "why": ""}]
    shown = history("self_rag", attempts=judged, searches=[a_search(1, "a"), a_search(4, "d")])
    assert [line for line in shown if not line.startswith("why")] == [
        "1 not useful a", "✓ text: a", "2 unsupported a", "3 not judged a", "4 no draft a", "✓ text: d",
    ]  # fmt: skip


STATES = {name: get_type_hints(method.build(Toolbox()).state_schema) for name, method in METHODS.items()}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=12,
)


@st.composite
def written(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """A method, and values for some keys of its state: nonsense, or of the right kind and senseless."""
    method = draw(st.sampled_from(list(METHODS)))
    keys = draw(st.lists(st.sampled_from(sorted(STATES[method].keys() - {"messages"})), unique=True, max_size=4))
    return method, {key: draw(JSON | st.from_type(STATES[method][key])) for key in keys}


def trace_of(method: str, values: dict[str, Any]) -> Trace:
    kept, broken = fitting(method, values)

    def no_corpus() -> Any:
        raise AssertionError("titles are of no concern here")

    titles = Titles(no_corpus)
    titles.look_up = lambda documents: None
    return Trace("t", method, Settings(), kept, (), titles, broken=broken)


@settings(max_examples=100, suppress_health_check=list(HealthCheck))
@given(written())
def test_whatever_was_written_there_is_a_page_and_it_names_what_is_broken(drawn: tuple[str, dict[str, Any]]) -> None:
    method, values = drawn
    trace = trace_of(method, values)
    page = run_html(trace, RunState())
    assert "</article>" in page
    assert all(f"<b>{key}</b>" in page for key in trace.broken)
    show_trace(trace, Console(file=io.StringIO(), width=120))
    json.dumps(trace.as_json())


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"answer": "zzz"}, "'answer' cannot be written: input should be a valid dictionary."),
        ({"hops": [{"step": 1}]}, "'hops' cannot be written: 0.kind: field required."),
        ({"hops": {"__overwrite__": "none"}}, "'hops' cannot be written: input should be a valid list."),
        ({"anwser": {}}, "No method's state has 'anwser'. Did you mean answer"),
        ({"question": "x", "image": None, "hops": {"__overwrite__": []}}, ""),
    ],
)
def test_what_does_not_fit_is_refused_when_it_is_written(values: dict[str, Any], sentence: str) -> None:
    said = unfit(values)
    assert said.startswith(sentence) if sentence else not said


def test_the_terminal_says_what_is_not_shown() -> None:
    out = Console(file=io.StringIO(), width=120)
    show_trace(trace_of("fif", {"question": "Who?", "answer": "zzz", "hops": [{"step": 1}]}), out)
    assert "not shown: answer: input should be a valid dictionary." in out.file.getvalue()  # type: ignore[attr-defined]
