"""Report of a run in Markdown: skipped parts, changes, and all rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from measure.comparison import GONE, NEW, SAME, SKIPPED, Row, mean
from measure.measured import Measured

_ABSENT = "–"


def report(now: Measured, before: Measured | None, rows: Sequence[Row]) -> str:
    """Return the report."""
    parts = [
        "# Measurement",
        _made("This run", now),
        _made("Baseline", before) if before else "There is no baseline to compare with; `--store` makes this run one.",
        _environment(now, before) if before else "",
        _skipped(now),
        _changed(rows),
        _table(rows),
        "Shares in percent, with the 95 % paired bootstrap interval of the difference over n items (questions or "
        "documents). An interval that holds 0 is *within*. Behind it, how many items are better and worse.",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _environment(now: Measured, before: Measured) -> str:
    differing = [
        f"{name} {before.made.get(name, _ABSENT)} → {now.made.get(name, _ABSENT)}"
        for name in dict.fromkeys([*before.made, *now.made])
        if name != "commit" and before.made.get(name) != now.made.get(name)
    ]
    return f"**OTHER ENVIRONMENT** than the baseline's: {', '.join(differing)}." if differing else ""


def values(run: Measured) -> str:
    """Return the values of a run: a table for each task or format with a row per method, then the numbers."""
    parts = [_made("# Baseline\n\nMeasured at", run), "Shares in percent: means over n questions or documents."]
    for name, table in run.tables.items():
        measures = list(dict.fromkeys(measure for held in table.scores.values() for measure in held))
        lines = [_line([f"{name} (n {len(table.ids)})", *measures]), _line(["---", *["--:"] * len(measures)])]
        for method, held in table.scores.items():
            means = {measure: mean(dict(zip(table.ids, scores, strict=True))) for measure, scores in held.items()}
            lines.append(_line([method, *(_percent(means.get(measure)) for measure in measures)]))
        parts.append("\n".join(lines))
    for group, numbers in run.numbers.items():
        rows = (_line([name, f"{number:,.10g}"]) for name, number in numbers.items())
        parts.append("\n".join([_line([group, ""]), _line(["---", "--:"]), *rows]))
    return "\n\n".join([*parts, _skipped(run)]).rstrip() + "\n"


def _made(title: str, run: Measured) -> str:
    return f"{title}: " + ", ".join(f"{name} {value}" for name, value in run.made.items()) + "."


def _skipped(now: Measured) -> str:
    if not now.skipped:
        return ""
    return "\n".join(["**SKIPPED**, not measured:", *(f"- {name}: {why}" for name, why in now.skipped.items())])


def _changed(rows: Sequence[Row]) -> str:
    by_verdict: dict[str, list[Row]] = {}
    for row in rows:
        by_verdict.setdefault(row.verdict, []).append(row)
    lines = [", ".join(f"{len(found)} {verdict}" for verdict, found in by_verdict.items()) + "."]
    for verdict in ("worse", "better", GONE):
        lines += [f"- {verdict}: {_name(row)} {_cells(row)[2]} {_interval(row)}" for row in by_verdict.get(verdict, ())]
    return "\n".join(lines)


def _table(rows: Iterable[Row]) -> str:
    lines = ["| | n | baseline | now | difference | 95 % | |", "|---|--:|--:|--:|--:|---|---|"]
    for row in rows:
        cells = [_name(row), str(row.items or ""), *_cells(row), _interval(row), _verdict(row)]
        lines.append(_line(cells))
    return "\n".join(lines)


def _name(row: Row) -> str:
    return " ".join(part for part in (f"{row.table}:", row.method, row.measure) if part)


def _cells(row: Row) -> tuple[str, str, str]:
    """Return the cells for baseline, now, and the difference."""
    if row.is_share:
        difference = _ABSENT if row.difference is None else f"{100 * row.difference:+.1f}"
        return _percent(row.before), _percent(row.now), difference
    before, now = (_ABSENT if value is None else f"{value:,.10g}" for value in (row.before, row.now))
    return before, now, _ABSENT if row.difference is None else f"{round(row.difference, 4):+,.10g}"


def _interval(row: Row) -> str:
    return "" if row.low is None or row.high is None else f"[{100 * row.low:+.1f}, {100 * row.high:+.1f}]"


def _verdict(row: Row) -> str:
    """Return the verdict, with the number of items on which a share rose and fell."""
    differing = f" ({len(row.better)}:{len(row.worse)})" if row.better or row.worse else ""
    loud = f"**{row.verdict}**" if row.verdict not in (SAME, NEW, SKIPPED, "within") else row.verdict
    return loud + differing


def _percent(share: float | None) -> str:
    return _ABSENT if share is None else f"{100 * share:.1f}"


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"
