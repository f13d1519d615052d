"""Report of an evaluation: Markdown tables with one row per method, and JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from backtrail.evals.paired import Difference
from backtrail.evals.questions import Evidence, Question
from backtrail.evals.summary import Score, Summary

_ABSENT = "–"
_FAILURES_SHOWN = 20
_QUOTE_CHARACTERS = 80


def markdown(summaries: Sequence[Summary]) -> str:
    """Return the tables: means with 95 % bootstrap intervals, shares in percent; then notes and failures."""
    columns = _columns(summaries, "")
    header = ["Method", "Questions", *columns, "Seconds median", "p95", "Failed"]
    lines = [_line(header), _line(["---"] + ["---:"] * (len(header) - 1))]
    lines += [_line(_cells(summary, columns)) for summary in summaries]
    apart = [_apart_table(summaries, table) for table in _tables(summaries)]
    parts = ["\n".join(lines), _note(summaries, columns), *apart, _failures(summaries)]
    return "\n\n".join(part for part in parts if part)


def _tables(summaries: Sequence[Summary]) -> list[str]:
    """Return the names of the additional tables, in the order of their scorers."""
    tables = (score.table for summary in summaries for score in summary.scores.values() if score.table)
    return list(dict.fromkeys(tables))


def _apart_table(summaries: Sequence[Summary], table: str) -> str:
    columns = _columns(summaries, table)
    lines = [_line([table, *columns]), _line(["---"] + ["---:"] * len(columns))]
    for summary in summaries:
        scores = summary.scores
        lines.append(
            _line([summary.method, *(_shown(scores[name]) if name in scores else _ABSENT for name in columns)])
        )
    return "\n".join(lines)


def breakdown_markdown(tag: str, rows: Sequence[tuple[str, Summary]]) -> str:
    """Return the table of a tag: a row per method and value, with shares and counts only."""
    summaries = [summary for _, summary in rows]
    main = (score for summary in summaries for score in summary.scores.values() if not score.table)
    columns = list(dict.fromkeys(score.name for score in main if score.unit in ("share", "count")))
    lines = [_line(["Method", tag, "Questions", *columns]), _line(["---", "---"] + ["---:"] * (len(columns) + 1))]
    for value, summary in rows:
        scores = [_shown(summary.scores[name]) if name in summary.scores else _ABSENT for name in columns]
        lines.append(_line([summary.method, value, str(summary.questions), *scores]))
    return "\n".join(lines)


def differences_markdown(against: str, found: Mapping[str, Mapping[str, Difference]]) -> str:
    """Return a row per other method: differences of shares in points, with 95 % intervals and counts."""
    columns = list(dict.fromkeys(name for differences in found.values() for name in differences))
    header = [f"Against {against}", *columns]
    lines = [_line(header), _line(["---"] + ["---:"] * len(columns))]
    for method, differences in found.items():
        cells = [_apart(differences[name]) if name in differences else _ABSENT for name in columns]
        lines.append(_line([method, *cells]))
    lines.append(
        "\nPoints, 95 % paired bootstrap interval, questions better and worse. An interval that holds 0 shows nothing."
    )
    return "\n".join(lines)


def lost_markdown(lost: Sequence[tuple[Question, Evidence]]) -> str:
    """List the first pieces of evidence that no component holds, so that no method can find them."""
    if not lost:
        return ""
    lines = [f"In no component of the corpus ({len(lost)} pieces of gold):"]
    for question, piece in lost[:_FAILURES_SHOWN]:
        lines.append(f"- {question.id}: {str(piece)[: len(piece.document) + _QUOTE_CHARACTERS]}")
    if len(lost) > _FAILURES_SHOWN:
        lines.append(f"- and {len(lost) - _FAILURES_SHOWN} more")
    return "\n".join(lines)


def as_json(summaries: Sequence[Summary]) -> list[dict[str, Any]]:
    """Return one object per method; shares from 0 to 1, not in percent."""
    return [
        {
            "method": summary.method,
            "questions": summary.questions,
            "scores": {name: asdict(score) for name, score in summary.scores.items()},
            "seconds": {"median": summary.median_seconds, "p95": summary.p95_seconds},
            "failed": [{"id": outcome.id, "error": outcome.error} for outcome in summary.failed],
        }
        for summary in summaries
    ]


def _columns(summaries: Sequence[Summary], table: str) -> list[str]:
    """Return the scorers of a table that apply to any question; times have separate columns."""
    named = (score for summary in summaries for score in summary.scores.values() if score.unit != "seconds")
    return list(dict.fromkeys(score.name for score in named if score.table == table))


def _cells(summary: Summary, columns: Sequence[str]) -> list[str]:
    scores = [_shown(summary.scores[name]) if name in summary.scores else _ABSENT for name in columns]
    times = [_time(summary.median_seconds), _time(summary.p95_seconds)]
    return [summary.method, str(summary.questions), *scores, *times, str(len(summary.failed))]


def _shown(score: Score) -> str:
    if score.unit == "share":
        mean, low, high = (f"{100 * value:.1f}" for value in (score.mean, score.low, score.high))
    elif score.unit == "usd":
        mean, low, high = (f"${value:.4f}" if value else "$0" for value in (score.mean, score.low, score.high))
    else:
        mean, low, high = (f"{value:,.2f}".removesuffix(".00") for value in (score.mean, score.low, score.high))
    return mean if low == high else f"{mean} [{low}, {high}]"


def _apart(difference: Difference) -> str:
    mean, low, high = (f"{100 * value:+.1f}" for value in (difference.mean, difference.low, difference.high))
    return f"{mean} [{low}, {high}] ({difference.better}:{difference.worse})"


def _time(seconds: float | None) -> str:
    return _ABSENT if seconds is None else f"{seconds:.3f}"


def _note(summaries: Sequence[Summary], columns: Sequence[str]) -> str:
    """Name the scorers that skip questions, and how many questions their means cover."""
    over: dict[str, list[str]] = {}
    for name in columns:
        scored = [summary for summary in summaries if name in summary.scores]
        counts = list(dict.fromkeys(str(summary.scores[name].count) for summary in scored))
        if any(summary.scores[name].count < summary.questions - len(summary.failed) for summary in scored):
            over.setdefault(" or ".join(counts), []).append(name)
    parts = [f"{', '.join(names)} over {count}" for count, names in over.items()]
    return f"Means over fewer questions: {'; '.join(parts)}." if parts else ""


def _failures(summaries: Sequence[Summary]) -> str:
    """List the first failed questions with their errors."""
    parts: list[str] = []
    for summary in summaries:
        if summary.failed:
            parts.append(f"Failed in {summary.method} (ask again with --retry-failed):")
            parts += [f"- {outcome.id}: {outcome.error}" for outcome in summary.failed[:_FAILURES_SHOWN]]
            if len(summary.failed) > _FAILURES_SHOWN:
                parts.append(f"- and {len(summary.failed) - _FAILURES_SHOWN} more, in results.jsonl")
    return "\n".join(parts)


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
