"""A run as a part of a page: what was asked, the answer with its sources, the trail, what it cost."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from markupsafe import Markup

from backtrail.cli.show.answer_lines import MARKS, by_node
from backtrail.cli.show.live_progress import WORDS
from backtrail.cli.show.run_summary import course, ended
from backtrail.cli.show.trace_record import SENSELESS, UNFIT, Trace
from backtrail.graphs.methods import METHODS
from backtrail.language.counted_nouns import counted
from backtrail.nodes.streaming.answer_message import ALSO_ASKED
from backtrail.server.ui.pages import templates
from backtrail.server.ui.sources import Source, address_of
from backtrail.state.chat.human_input import Asking
from backtrail.state.settings import Settings
from backtrail.state.usage import Usage, total_usage
from backtrail.tools.web.shelf import is_web


@dataclass(frozen=True)
class Told:
    """What is known of a run beside its trace.

    ``nodes`` are those at work, ``words`` what is written of its answer, ``error`` says why it ended early, ``sources``
    are those of its answer.
    ``may_act``: whether whoever looks may stop, fork or go on with it. ``beside``: other runs stand beside it.
    """

    working: bool = False
    nodes: Sequence[str] = ()
    words: str = ""
    error: str = ""
    sources: Sequence[Source] = ()
    may_act: bool = True
    beside: bool = False


def run_html(trace: Trace, told: Told, token: str = "") -> str:
    """The run. Everything that was retrieved or said by a model is escaped.

    A client may write into its own run. Values that cannot be shown are left out and named.
    """
    try:
        return _run(trace, told, token)
    except UNFIT:
        return _run(_without_unfit(trace), told, token)


def trail_html(trace: Trace, told: Told) -> str:
    """The trail alone, as it grows; empty while what there is makes no sense."""
    with suppress(*UNFIT):
        return templates().get_template("_trail.html").render(parts=_parts(trace, forkable=False))
    return ""


def status_html(trace: Trace, told: Told) -> str:
    """What is being done now, and how much of the budget is used."""
    with suppress(*UNFIT):
        return templates().get_template("_status.html").render(trace=trace, told=told, **_status(trace, told))
    return ""


def words_html(words: str) -> str:
    """What is written of the answer; empty before its first word."""
    return templates().get_template("_words.html").render(words=words)


def _run(trace: Trace, told: Told, token: str) -> str:
    values = trace.values
    finished = trace.finished and not told.working and not told.error
    return (
        templates()
        .get_template("_run.html")
        .render(
            trace=trace,
            told=told,
            token=token,
            broken=trace.broken,
            words=told.words,
            question=values.get("question", ""),
            parts=_parts(trace, forkable=told.may_act and not told.working),
            failures=values.get("failures", []),
            answer=values.get("answer") if finished else None,
            finished=finished,
            course=course(values),
            ending=ended(values),
            usage=by_node(values.get("usage", {})),
            total=total_usage(values.get("usage", {})),
            marks=MARKS,
            also_asked=values.get("also_asked") or [],
            also_asked_words=ALSO_ASKED,
            image=values.get("image"),
            asks=None if told.working else asked_of_people(trace.asks),
            forkable=trace.fork_points.offered() if told.may_act else "",
            **_status(trace, told),
        )
    )


def asked_of_people(asks: Asking | None) -> dict[str, Any] | None:
    """What people have to decide, what may be decided, and the text that can be changed."""
    if asks is None:
        return None
    request, review = asks["action_requests"][0], asks["review_configs"][0]
    held = next(iter(request["args"].values()), "")
    return {
        "words": request["description"], "may": review["allowed_decisions"], "kind": asks["asked"],
        "text": held if isinstance(held, str) else "",
    }  # fmt: skip


def _status(trace: Trace, told: Told) -> dict[str, Any]:
    doing = [WORDS.get(node, node.replace("_", " ").capitalize()) for node in dict.fromkeys(told.nodes)]
    return {"doing": doing, "spent": budget_lines(trace.values, trace.settings, steps_of(trace))}


def steps_of(trace: Trace) -> int:
    """How many steps of its budget the run has taken."""
    method = METHODS.get(trace.method)
    return method.steps.spent(trace.values) if method and method.steps else 0


def budget_lines(values: Mapping[str, Any], settings: Settings, steps: int) -> list[str]:
    """What was used, of what where there is a ceiling: ``step 4 of at most 10``."""
    used: Usage = total_usage(values.get("usage", {}))
    most = settings.budget
    lines = [f"{steps} of at most {counted(most.steps, 'step')}"]
    if used["calls"] or most.calls is not None:
        lines.append(f"{used['calls']}{_of(most.calls)} model call{'' if (most.calls or used['calls']) == 1 else 's'}")
    tokens = used["input_tokens"] + used["output_tokens"]
    if tokens:
        lines.append(f"{tokens:,} tokens")
    if used["cost_usd"] or most.usd is not None:
        lines.append(f"${used['cost_usd']:.4f}{'' if most.usd is None else f' of at most ${most.usd:g}'}")
    if most.seconds is not None:
        lines.append(f"{sum(used['seconds'].values()):.1f} of at most {most.seconds:g} seconds of work")
    return lines


def _of(most: int | None) -> str:
    return "" if most is None else f" of at most {most}"


def _parts(trace: Trace, *, forkable: bool) -> list[Markup]:
    """What each kind of record of the run has on the page, rendered with escaping."""
    shown, parts = trace.shown, list[Markup]()
    given: dict[str, Any] = {"evidence": shown.evidence, "title_of": trace.titles.of, "source_of": _source_of(trace)}
    given["question"] = shown.values.get("question", "")
    given["fork_at"] = _fork_at(trace) if forkable else lambda step: ""
    for view in trace.views:
        told = view.page(shown)
        if told is not None:
            parts.append(Markup(templates().get_template(view.template).render(**given, **told)))
    return parts


def _source_of(trace: Trace) -> Callable[[str], str]:
    def address(component: str) -> str:
        found = trace.shown.evidence.get(component)
        if found is None or is_web(component):
            return ""
        return address_of(trace.settings.corpus, found["document"], component)

    return address


def _fork_at(trace: Trace) -> Callable[[int], Markup]:
    """A link to where the run can be branched off before a step; nothing where it cannot."""
    able = set(trace.fork_points.numbers)

    def link(step: int) -> Markup:
        if step not in able:
            return Markup("")
        html = '<a class="fork" href="/ui/runs/{}/fork?at={}">fork here</a>'
        return Markup(html).format(trace.thread, step)

    return link


def _without_unfit(trace: Trace) -> Trace:
    """The trace without the values that cannot be shown by themselves; without any, when the rest does not go well."""
    kept: dict[str, Any] = {}
    for key, value in trace.values.items():
        with suppress(*UNFIT):
            _run(replace(trace, values={key: value}), Told(), "")
            kept[key] = value
    try:
        _run(replace(trace, values=kept), Told(), "")
    except UNFIT:
        kept = {}
    lost = dict.fromkeys(trace.values.keys() - kept.keys(), SENSELESS)
    return replace(trace, values=kept, broken={**trace.broken, **lost})
