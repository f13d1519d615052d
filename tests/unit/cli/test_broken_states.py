"""A run whose state was written into: its trace shows what can be shown, and says what cannot."""

from __future__ import annotations

import io
import json
from typing import Any, get_type_hints

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rich.console import Console

from backtrail.cli.show.titles import Titles
from backtrail.cli.show.trace_lines import show_trace
from backtrail.cli.show.trace_record import Trace
from backtrail.graphs.methods import METHODS
from backtrail.graphs.state_values import fitting, unfit
from backtrail.server.ui.run_html import RunState, run_html
from backtrail.state.settings import Settings
from backtrail.tools.toolbox import Toolbox

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
