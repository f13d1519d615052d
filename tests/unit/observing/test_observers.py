"""What a server tells whoever runs it: figures, lines and spans of a run, without its words."""

import json
import logging
from typing import Any

import pytest
from fixtures.rust_panic import Panic
from langgraph.graph import END, START
from langgraph.runtime import Runtime
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from prometheus_client.parser import text_string_to_metric_families
from typing_extensions import TypedDict

from backtrail.graphs.question_graph import QuestionGraph
from backtrail.state.settings import Settings
from backtrail.state.usage import charge
from backtrail.tools.errors import LibraryCrashed
from backtrail.tools.observability import observers
from backtrail.tools.observability.logs import Lines
from backtrail.tools.observability.metrics import Figures, exposition
from backtrail.tools.observability.observers import observe
from backtrail.tools.observability.spans import Spans

SECRET = "when was the merger decided"


class State(TypedDict, total=False):
    question: str
    usage: dict[str, Any]


async def read(state: State, runtime: Runtime[Any]) -> dict[str, Any]:
    if state["question"] == "fail":
        raise ValueError(SECRET)
    if state["question"] == "panic":
        raise Panic("index out of bounds")
    return {"usage": {"read/0": charge(calls=2, input_tokens=30, output_tokens=4, cost_usd=0.5)}}


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> InMemorySpanExporter:
    monkeypatch.setenv("BACKTRAIL_SERVING", "yes")
    monkeypatch.setattr(observers, "_OBSERVERS", list(observers._OBSERVERS))
    kept = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(kept))
    for one in (Lines(), Figures(), Spans(provider)):
        observe(one)
    return kept


async def run(name: str, question: str) -> None:
    machine = QuestionGraph(State, context_schema=Settings)
    machine.add_node("read", read)
    machine.add_edge(START, "read")
    machine.add_edge("read", END)
    where: Any = {"configurable": {"run_id": f"run-{name}", "thread_id": "t"}}
    await machine.compile(name=name).ainvoke({"question": question}, where)


def figures() -> dict[tuple[str, ...], float]:
    found: dict[tuple[str, ...], float] = {}
    for family in text_string_to_metric_families(exposition().decode()):
        for sample in family.samples:
            labels = [value for name, value in sorted(sample.labels.items()) if name != "le"]
            found[sample.name, *labels] = sample.value
    return found


async def test_a_failed_run_is_counted_as_one(told: InMemorySpanExporter, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "backtrail.runs")
    with pytest.raises(ValueError, match=SECRET):
        await run("failing", "fail")
    seen = figures()
    assert seen["backtrail_runs_total", "failing", "failed"] == 1
    assert seen["backtrail_node_errors_total", "ValueError", "failing", "read"] == 1
    lines = [json.loads(record.message) for record in caplog.records if record.name == "backtrail.runs"]
    assert [line["event"] for line in lines] == ["run_began", "node_failed", "run_ended"]
    assert {line["run_id"] for line in lines} == {"run-failing"}
    assert (lines[-1]["outcome"], lines[-1]["error"]) == ("failed", "ValueError")


async def test_a_crash_of_a_library_ends_the_run_with_an_error_of_ours(told: InMemorySpanExporter) -> None:
    with pytest.raises(LibraryCrashed, match="Panic: index out of bounds") as raised:
        await run("crashing", "panic")
    assert isinstance(raised.value.__cause__, Panic)
    assert figures()["backtrail_runs_total", "crashing", "failed"] == 1


async def test_spans_hold_nodes_with_what_they_cost(told: InMemorySpanExporter) -> None:
    await run("traced", SECRET)
    seen = figures()
    assert (seen["backtrail_runs_total", "traced", "done"], seen["backtrail_runs_at_work", "traced"]) == (1, 0)
    assert (seen["backtrail_tokens_total", "input", "traced"], seen["backtrail_cost_usd_total", "traced"]) == (30, 0.5)
    node, whole = told.get_finished_spans()
    assert (node.name, whole.name) == ("node read", "run traced")
    assert node.parent.span_id == whole.context.span_id
    assert node.attributes["gen_ai.usage.input_tokens"] == 30
    assert node.attributes["backtrail.cost_usd"] == 0.5
    assert node.attributes["backtrail.decisions"] == ("read/0",)
    assert node.start_time <= node.end_time  # type: ignore[operator]


async def test_no_word_of_a_question_or_an_error_is_told(told: InMemorySpanExporter, caplog: Any) -> None:
    caplog.set_level(logging.DEBUG)
    await run("discreet", SECRET)
    with pytest.raises(ValueError, match=SECRET):
        await run("discreet", "fail")
    spans = " ".join(span.to_json() for span in told.get_finished_spans())
    logged = " ".join(record.message for record in caplog.records if record.name.startswith("backtrail"))
    assert SECRET not in spans + logged + exposition().decode()
