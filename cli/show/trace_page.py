"""A trace as one page of HTML, without scripts and without anything from elsewhere."""

from __future__ import annotations

from importlib.resources import files

from jinja2 import Environment, StrictUndefined
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
from backtrail.cli.show.trace_record import Trace
from backtrail.cli.show.vote_lines import MARKS as VOTER_MARKS
from backtrail.state.mmapg.planning_graph import is_dead
from backtrail.state.usage import total_usage


def trace_page(trace: Trace) -> str:
    """The page. Everything that was retrieved or said by a model is escaped."""
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.globals.update(
        strategy_words=strategy_words, search_words=search_words, place=place, title_of=trace.titles.of,
        is_dead=is_dead, outcomes=OUTCOMES, statuses=STATUSES, planning_marks=MARKS, voter_marks=VOTER_MARKS,
        search_outcomes=SEARCH_OUTCOMES, search_kinds=KINDS, path_words=PATHS,
    )  # fmt: skip
    template = environment.from_string(
        files("backtrail.cli.show").joinpath("trace_page.html").read_text(encoding="utf-8")
    )
    values, nodes = trace.values, trace.planning_graph
    return template.render(
        trace=trace,
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
