"""Run as a part of a page: question, answer with sources, trail and cost."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from markupsafe import Markup

from backtrail.cli.show.answer_lines import MARKS, by_node
from backtrail.cli.show.live_progress import WORDS
from backtrail.cli.show.run_summary import ending_line, hops_summary
from backtrail.cli.show.trace_record import DISPLAY_ERRORS, INCONSISTENT, Trace
from backtrail.graphs.methods import METHODS
from backtrail.language.counted_nouns import counted
from backtrail.nodes.streaming.answer_message import ALSO_ASKED
from backtrail.server.ui.answer_markers import cited_quotes, is_markdown
from backtrail.server.ui.markdown import answer_html, structure_html
from backtrail.server.ui.pages import templates
from backtrail.server.ui.sources import Source, address_of
from backtrail.state.answer import Answer
from backtrail.state.chat.human_input import ApprovalRequest
from backtrail.state.evidence import Evidence
from backtrail.state.settings import Settings
from backtrail.state.usage import Usage, total_usage
from backtrail.tools.access.records.feedback import Feedback
from backtrail.tools.web.shelf import is_web

TITLES = 5
"""Titles of documents that an abstention names (ours)."""


@dataclass(frozen=True)
class RunState:
    """State of a run that its trace lacks.

    ``nodes`` are the active nodes, ``answer_text`` the answer so far, ``error`` why it failed.
    ``turn`` is the number of the question in its conversation, 0 if none may be rated; ``feedback``: how it was rated.
    ``may_act``: whether the visitor may stop, fork or resume it. ``side_by_side``: other runs are shown beside it.
    """

    working: bool = False
    nodes: Sequence[str] = ()
    answer_text: str = ""
    error: str = ""
    sources: Sequence[Source] = ()
    may_act: bool = True
    side_by_side: bool = False
    turn: int = 0
    feedback: Feedback | None = None


def run_html(trace: Trace, run: RunState, token: str = "") -> str:
    """Render the run. All retrieved and generated text is escaped.

    A client can write to its own run: values that cannot be shown are left out and listed.
    """
    try:
        return _run(trace, run, token)
    except DISPLAY_ERRORS:
        return _run(_without_unfit(trace), run, token)


def trail_html(trace: Trace, run: RunState) -> str:
    """Render the trail so far; empty while its values are inconsistent."""
    with suppress(*DISPLAY_ERRORS):
        return templates().get_template("_trail.html").render(parts=_parts(trace, forkable=False))
    return ""


def status_html(trace: Trace, run: RunState) -> str:
    """Render the active nodes and the used budget."""
    with suppress(*DISPLAY_ERRORS):
        return templates().get_template("_status.html").render(trace=trace, run=run, **_status(trace, run))
    return ""


def words_html(words: str) -> str:
    """Render the answer's text so far, as a model writes it."""
    return templates().get_template("_words.html").render(words=written(words))


def written(words: str) -> Markup:
    """Render Markdown of a model that is not finished."""
    return answer_html(words, {}, markdown=True, anchor="")


def _answer_html(answer: Answer, anchor: str) -> Markup:
    """Render an answer with markers of its sources; of one that rules withhold, the reason."""
    if answer["abstained"] and answer.get("quotes"):
        reason = answer["text"].partition("\n")[0].rstrip()
        return answer_html(f"{reason[:-1]}." if reason.endswith(":") else reason, {}, markdown=False, anchor=anchor)
    text = answer_html(answer["text"], cited_quotes(answer), markdown=is_markdown(answer), anchor=anchor)
    return text + structure_html(answer, anchor)


def looked_at(evidence: Mapping[str, Evidence]) -> str:
    """Describe what a run found: ``4 pieces of 2 documents (Comets, Venus)``; empty if nothing."""
    titles = dict.fromkeys(one["title"] for one in evidence.values())
    documents = len({one["document"] for one in evidence.values()})
    more = ", …" if len(titles) > TITLES else ""
    named = ", ".join(islice(titles, TITLES))
    return f"{counted(len(evidence), 'piece')} of {counted(documents, 'document')} ({named}{more})" if evidence else ""


def _run(trace: Trace, run: RunState, token: str) -> str:
    values = trace.values
    finished = trace.finished and not run.working and not run.error
    answer, anchor = values.get("answer") if finished else None, f"source-{trace.thread}-"
    return (
        templates()
        .get_template("_run.html")
        .render(
            trace=trace,
            run=run,
            token=token,
            broken=trace.broken,
            words=written(run.answer_text) if run.answer_text else "",
            question=values.get("question", ""),
            parts=_parts(trace, forkable=run.may_act and not run.working),
            failures=values.get("failures", []),
            answer=answer,
            text=_answer_html(answer, anchor) if answer else "",
            anchor=anchor,
            looked_at=looked_at(trace.shown.evidence),
            finished=finished,
            course=hops_summary(values),
            ending=ending_line(values),
            usage=by_node(values.get("usage", {})),
            total=total_usage(values.get("usage", {})),
            marks=MARKS,
            other_questions=values.get("other_questions") or [],
            also_asked_words=ALSO_ASKED,
            image=values.get("image"),
            asks=None if run.working else asked_of_people(trace.approval_request),
            forkable=trace.fork_points.offered() if run.may_act else "",
            **_status(trace, run),
        )
    )


def asked_of_people(asks: ApprovalRequest | None) -> dict[str, Any] | None:
    """Return the request of a run that waits for a person: description, allowed decisions, editable text."""
    if asks is None:
        return None
    request, review = asks["action_requests"][0], asks["review_configs"][0]
    argument = next(iter(request["args"].values()), "")
    return {
        "words": request["description"], "may": review["allowed_decisions"], "kind": asks["topic"],
        "text": argument if isinstance(argument, str) else "",
    }  # fmt: skip


def _status(trace: Trace, run: RunState) -> dict[str, Any]:
    doing = [WORDS.get(node, node.replace("_", " ").capitalize()) for node in dict.fromkeys(run.nodes)]
    return {"doing": doing, "spent": budget_lines(trace.values, trace.settings, steps_of(trace))}


def steps_of(trace: Trace) -> int:
    """Return how many steps of its budget the run has used."""
    method = METHODS.get(trace.method)
    return method.steps.spent(trace.values) if method and method.steps else 0


def budget_lines(values: Mapping[str, Any], settings: Settings, steps: int) -> list[str]:
    """Describe usage with its limits: ``step 4 of at most 10``."""
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
    """Render each kind of record of the run."""
    shown, parts = trace.shown, list[Markup]()
    given: dict[str, Any] = {"evidence": shown.evidence, "title_of": trace.titles.of, "source_of": _source_of(trace)}
    given["question"] = shown.values.get("question", "")
    given["fork_at"] = _fork_at(trace) if forkable else lambda step: ""
    for view in trace.views:
        run = view.page(shown)
        if run is not None:
            parts.append(Markup(templates().get_template(view.template).render(**given, **run)))
    return parts


def _source_of(trace: Trace) -> Callable[[str], str]:
    def address(component: str) -> str:
        found = trace.shown.evidence.get(component)
        if found is None or is_web(component):
            return ""
        return address_of(trace.settings.corpus, found["document"], component)

    return address


def _fork_at(trace: Trace) -> Callable[[int], Markup]:
    """Return a function that links to the fork before a step; empty for steps that cannot be forked."""
    able = set(trace.fork_points.numbers)

    def link(step: int) -> Markup:
        if step not in able:
            return Markup("")
        html = '<a class="fork" href="/ui/runs/{}/fork?at={}">fork here</a>'
        return Markup(html).format(trace.thread, step)

    return link


def _without_unfit(trace: Trace) -> Trace:
    """Remove values that cannot be shown by themselves; all values if the rest cannot be shown together."""
    kept: dict[str, Any] = {}
    for key, value in trace.values.items():
        with suppress(*DISPLAY_ERRORS):
            _run(replace(trace, values={key: value}), RunState(), "")
            kept[key] = value
    try:
        _run(replace(trace, values=kept), RunState(), "")
    except DISPLAY_ERRORS:
        kept = {}
    lost = dict.fromkeys(trace.values.keys() - kept.keys(), INCONSISTENT)
    return replace(trace, values=kept, broken={**trace.broken, **lost})
