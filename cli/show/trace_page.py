"""A trace as one page of HTML, without scripts and without anything from elsewhere."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from backtrail.cli.show.answer_lines import by_node
from backtrail.cli.show.trace_record import SENSELESS, UNFIT, Trace
from backtrail.nodes.reading.places import place
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
    values = trace.values
    return (
        _templates()
        .get_template("trace_page.html")
        .render(
            trace=trace,
            broken=trace.broken,
            question=values.get("question", ""),
            parts=_parts(trace),
            failures=values.get("failures", []),
            answer=values.get("answer") if trace.finished else None,
            stop_reason=values.get("stop_reason", ""),
            usage=by_node(values.get("usage", {})),
            total=total_usage(values.get("usage", {})),
            forkable=trace.fork_points.offered(),
        )
    )


def _parts(trace: Trace) -> list[Markup]:
    """What each kind of record of the run has on the page, rendered with escaping."""
    shown, parts = trace.shown, list[Markup]()
    for view in trace.views:
        told = view.page(shown)
        if told is not None:
            part = _templates().get_template(view.template)
            parts.append(Markup(part.render(evidence=shown.evidence, title_of=trace.titles.of, **told)))
    return parts


@cache
def _templates() -> Environment:
    """Templates: the page itself, and parts that stand beside their views."""
    room = files("backtrail.cli.show")

    def read(name: str) -> str | None:
        beside = (room / name, room / "records" / name)
        return next((file.read_text(encoding="utf-8") for file in beside if file.is_file()), None)

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, loader=FunctionLoader(read)
    )
    environment.globals["place"] = place
    return environment
