"""A trace as one page of HTML, without scripts and without anything from elsewhere."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup

from backtrail.cli.show.answer_lines import by_node, place
from backtrail.cli.show.console import OUTCOMES
from backtrail.cli.show.decided_steps import decided_steps
from backtrail.cli.show.hop_lines import STATUSES, strategy_words
from backtrail.cli.show.path_lines import PATHS
from backtrail.cli.show.planning_lines import MARKS, search_words, summary_line
from backtrail.cli.show.planning_svg import planning_svg
from backtrail.cli.show.search_lines import KINDS
from backtrail.cli.show.search_lines import OUTCOMES as SEARCH_OUTCOMES
from backtrail.cli.show.trace_record import SENSELESS, UNFIT, Trace
from backtrail.cli.show.vote_lines import MARKS as VOTER_MARKS
from backtrail.state.mmapg.planning_graph import is_dead
from backtrail.state.usage import total_usage


def trace_page(trace: Trace) -> str:
    """The page. Everything that was retrieved or said by a model is escaped.

    A client may write into its own run. Values that cannot be shown are left out and named.
    """
    try:
        return _page(trace)
    except UNFIT:
        return _page(_without_unfit(trace))


def _without_unfit(trace: Trace) -> Trace:
    """The trace without the values that cannot be shown by themselves; without any, when the rest does not go well."""
    kept: dict[str, Any] = {}
    for key, value in trace.values.items():
        with suppress(*UNFIT):
            _page(replace(trace, values={key: value}))
            kept[key] = value
    try:
        _page(replace(trace, values=kept))
    except UNFIT:
        kept = {}
    lost = dict.fromkeys(trace.values.keys() - kept.keys(), SENSELESS)
    return replace(trace, values=kept, broken={**trace.broken, **lost})


def _page(trace: Trace) -> str:
    values, nodes = trace.values, trace.planning_graph
    return _template().render(
        trace=trace,
        broken=trace.broken,
        title_of=trace.titles.of,
        question=values.get("question", ""),
        subqueries=values.get("subqueries", []),
        hops=values.get("hops", []),
        planning_graph=nodes,
        # planning_svg escapes what it draws
        drawing=Markup(planning_svg(nodes)) if nodes else "",
        planning_summary=summary_line(nodes),
        path=values.get("path"),
        decided=decided_steps(values),
        searches=values.get("searches", []),
        positions=values.get("positions", []),
        vote=values.get("vote"),
        evidence=values.get("evidence", {}),
        failures=values.get("failures", []),
        answer=values.get("answer") if trace.finished else None,
        stop_reason=values.get("stop_reason", ""),
        usage=by_node(values.get("usage", {})),
        total=total_usage(values.get("usage", {})),
        forkable=trace.fork_points.offered(),
    )


@cache
def _template() -> Template:
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.globals.update(
        strategy_words=strategy_words, search_words=search_words, place=place, is_dead=is_dead, outcomes=OUTCOMES,
        statuses=STATUSES, planning_marks=MARKS, voter_marks=VOTER_MARKS, search_outcomes=SEARCH_OUTCOMES,
        search_kinds=KINDS, path_words=PATHS,
    )  # fmt: skip
    page = files("backtrail.cli.show").joinpath("trace_page.html").read_text(encoding="utf-8")
    return environment.from_string(page)
