"""A trace as one page of HTML, without scripts and without anything from elsewhere."""

from __future__ import annotations

from importlib.resources import files

from jinja2 import Environment, StrictUndefined

from backtrail.cli.answer_lines import by_node, place
from backtrail.cli.console import OUTCOMES
from backtrail.cli.hop_lines import STATUSES, strategy_words
from backtrail.cli.trace_record import Trace
from backtrail.state.usage import total_usage


def trace_page(trace: Trace) -> str:
    """The page. Everything that was retrieved or said by a model is escaped."""
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.globals.update(strategy_words=strategy_words, place=place, title_of=trace.titles.of)
    template = environment.from_string(files("backtrail.cli").joinpath("trace_page.html").read_text(encoding="utf-8"))
    values = trace.values
    return template.render(
        trace=trace,
        question=values.get("question", ""),
        subqueries=values.get("subqueries", []),
        hops=values.get("hops", []),
        rounds=values.get("rounds", []),
        path=values.get("path"),
        turns=values.get("turns", []),
        searches=values.get("searches", []),
        evidence=values.get("evidence", {}),
        failures=values.get("failures", []),
        answer=values.get("answer") if trace.finished else None,
        stop_reason=values.get("stop_reason", ""),
        usage=by_node(values.get("usage", {})),
        total=total_usage(values.get("usage", {})),
        outcomes=OUTCOMES,
        statuses=STATUSES,
    )
