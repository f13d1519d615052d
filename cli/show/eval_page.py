"""HTML page of an evaluation: every run's answer, trail, verdict and usage for each question."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.resources import files
from io import StringIO
from typing import Any

from jinja2 import Environment, StrictUndefined
from rich.console import Console

from backtrail.cli.show.records.find import views_of
from backtrail.cli.show.records.view import Shown, View
from backtrail.cli.show.titles import Titles
from backtrail.cli.show.trace_record import DISPLAY_ERRORS
from backtrail.evals.earlier_runs import method_label
from backtrail.evals.outcome import Outcome
from backtrail.evals.questions import Question
from backtrail.evals.results import read_trails
from backtrail.evals.runner import Evaluation
from backtrail.evals.scorer import Scorer
from backtrail.evals.scorers.correctness import is_right
from backtrail.graphs.methods import find_method
from backtrail.state.variant import from_label
from backtrail.tools.errors import BacktrailError
from backtrail.tools.web.contents import ContentsReader

WIDTH = 150
RANKS = 10
MISSED = 3
"""Maximum number of alternatives shown for a gold component that was not found (ours)."""
VERDICTS = ("right", "wrong", "abstained", "failed", "unscored", "open")


@dataclass(frozen=True)
class ShownOutcome:
    """Outcome of one run for one question, as shown."""

    outcome: Outcome
    verdict: str
    scores: Sequence[tuple[str, str]]
    ranking: Sequence[tuple[str, bool]]
    missed: Sequence[str]
    trail: str


@dataclass(frozen=True)
class ShownQuestion:
    """Question with its outcomes in the order of the runs; None if a run has not asked it yet."""

    question: Question
    outcomes: Sequence[ShownOutcome | None]
    tags: Sequence[tuple[str, str]]

    @property
    def verdicts(self) -> str:
        """All verdicts, for the page's filters."""
        return " ".join(one.verdict if one else "open" for one in self.outcomes)

    def most(self, amount: str) -> float:
        """Return the maximum of an amount, e.g. ``seconds``, over the runs; for sorting."""
        return max((getattr(one.outcome, amount) for one in self.outcomes if one), default=0.0)

    @property
    def differs(self) -> bool:
        """Whether the runs' verdicts differ."""
        return len({one.verdict if one else "open" for one in self.outcomes}) > 1


def eval_page(title: str, scorers: Sequence[Scorer], evaluated: Sequence[Evaluation], tags: Sequence[str]) -> str:
    """Render the page. It is self-contained, and all retrieved and generated text is escaped.

    Args:
        scorers: those whose scores per question are shown: the main table's.
        tags: question tags for filters.
    """
    labels = list(dict.fromkeys(one.method for one in evaluated))
    rows = _rows(labels, scorers, evaluated, tags)
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    page = files("backtrail.cli.show").joinpath("eval_page.html").read_text(encoding="utf-8")
    values = sorted({(tag, value) for row in rows for tag, value in row.tags})
    kept = [verdict for verdict in VERDICTS if any(verdict in row.verdicts.split() for row in rows)]
    return environment.from_string(page).render(
        title=title, labels=labels, rows=rows, values=values, verdicts=kept, nonce=secrets.token_urlsafe(16),
        totals=[_total(label, kept, [row.outcomes[place] for row in rows]) for place, label in enumerate(labels)],
    )  # fmt: skip


def verdict_of(question: Question, outcome: Outcome) -> str:
    """Return failed, abstained, right or wrong; unscored if the question has no gold answer."""
    if outcome.error is not None:
        return "failed"
    if outcome.abstained:
        return "right" if not question.answerable else "abstained"
    if not (question.answers or question.parts):
        return "unscored" if question.answerable else "wrong"
    return "right" if is_right(question, outcome) else "wrong"


def _rows(
    labels: Sequence[str], scorers: Sequence[Scorer], evaluated: Sequence[Evaluation], tags: Sequence[str]
) -> list[ShownQuestion]:
    questions: dict[tuple[str, str], Question] = {}
    by_question: dict[tuple[str, str], dict[str, ShownOutcome]] = {}
    for one in evaluated:
        trails = read_trails(one.folder)
        for question in one.questions:
            questions.setdefault((question.id, question.fingerprint), question)
        for question, outcome in one.pairs:
            key = (question.id, question.fingerprint)
            trail = trail_text(method_label(one.method), trails.get(key, {}))
            by_question.setdefault(key, {})[one.method] = _shown_outcome(question, outcome, scorers, trail)
    return [
        ShownQuestion(question, [by_question.get(key, {}).get(label) for label in labels], _tags(question, tags))
        for key, question in questions.items()
    ]


def _shown_outcome(question: Question, outcome: Outcome, scorers: Sequence[Scorer], trail: str) -> ShownOutcome:
    gold = {component for group in question.gold for component in group}
    scored = [(scorer.name, value) for scorer in scorers if not scorer.table and scorer.unit == "share"
              and (value := scorer(question, outcome)) is not None]  # fmt: skip
    return ShownOutcome(
        outcome,
        verdict_of(question, outcome),
        [(name, f"{value:.2f}".removesuffix(".00")) for name, value in scored],
        [(component, component in gold) for component in outcome.ranking[:RANKS]],
        [" or ".join(group[:MISSED]) for group in question.gold if not set(group) & set(outcome.ranking[:RANKS])],
        trail,
    )


def _tags(question: Question, tags: Sequence[str]) -> list[tuple[str, str]]:
    tagged = [(tag, question.tag(tag)) for tag in tags]
    return [(tag, str(one)) for tag, value in tagged for one in (value if isinstance(value, list) else [value])
            if one not in (None, "")]  # fmt: skip


def _total(label: str, verdicts: Sequence[str], outcomes_shown: Sequence[ShownOutcome | None]) -> dict[str, Any]:
    """Return the totals of a run: counts of verdicts, and usage over all questions."""
    found = [one.verdict if one else "open" for one in outcomes_shown]
    outcomes = [one.outcome for one in outcomes_shown if one]
    return {
        "label": label,
        "verdicts": [found.count(verdict) for verdict in verdicts],
        "seconds": sum(one.seconds for one in outcomes),
        "calls": sum(one.calls for one in outcomes),
        "tokens": sum(one.input_tokens + one.output_tokens for one in outcomes),
        "usd": sum(one.cost_usd for one in outcomes),
    }


def trail_text(label: str, trail: Mapping[str, Any]) -> str:
    """Format a stored trail as a trace does; records that were cut too much are shown plainly."""
    if not trail:
        return ""
    console = Console(file=StringIO(), width=WIDTH, color_system=None, highlight=False)
    shown = Shown(trail, Titles(_no_contents))
    for view in views_of(find_method(from_label(label)[0])):
        if view.key in trail:
            for line in _lines(view, shown):
                console.print(line, soft_wrap=True)
    file = console.file
    return file.getvalue().rstrip() if isinstance(file, StringIO) else ""


def _lines(view: View, shown: Shown) -> list[Any]:
    with suppress(*DISPLAY_ERRORS):
        return list(view.lines(shown))
    return list(View.lines(view, shown))


def _no_contents() -> ContentsReader:
    raise _NoContents


class _NoContents(BacktrailError):
    """Titles are not looked up, because the corpus may have changed since."""
