"""Format a reproduced table as Markdown: published and own figures, differences, failures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from backtrail.evals.published.table import Column, Table
from backtrail.evals.reproduction.comparable import data_reasons, model_reasons
from backtrail.evals.reproduction.figures import Figure, Line
from backtrail.evals.reproduction.known_prices import unpriced, unpriced_note
from backtrail.evals.reproduction.pilot import MEASURES, Estimate, summed
from backtrail.evals.reproduction.plan import MissingBenchmark, Plan
from backtrail.evals.runner import Evaluation

ABSENT = "–"
SURE = 0.05
_FAILURES_SHOWN = 20


def markdown(plan: Plan, lines: Sequence[Line], evaluated: Mapping[tuple[str, ...], Evaluation]) -> str:
    """Return the report of a table."""
    table = plan.table
    parts = [f"# {table.paper}, table {table.number}: {table.title}", f"Published: {table.section}."]
    parts += [_benchmark_table(table, name, lines) for name in _shown_benchmarks(table, lines)]
    parts.append(
        "Ours with 95 % bootstrap intervals; in brackets the difference from the published figure. "
        f"† differs from the row {table.reference!r} (paired randomisation test, Holm, p < {SURE:g})."
    )
    parts.append(not_comparable(plan, evaluated))
    parts.append(unpriced_note(unpriced(job.settings for job in plan.jobs().values())))
    parts.append(_bullets("Notes:", table.notes))
    parts.append(lacks_markdown(plan.missing))
    parts.append(_bullets("Not run:", (f"{row.name}: {row.absent}" for row in table.rows if row.absent)))
    parts.append(_failures(lines))
    return "\n\n".join(part for part in parts if part) + "\n"


def _shown_benchmarks(table: Table, lines: Sequence[Line]) -> list[str]:
    """Return the benchmarks that were run, else all, with published figures only. "" is for means over columns."""
    names = list(dict.fromkeys(column.benchmark for column in table.columns))
    asked = [name for name in names if any(name in line.questions for line in lines)]
    return [*asked, *[name for name in names if not name]] if asked else names


def _benchmark_table(table: Table, name: str, lines: Sequence[Line]) -> str:
    places = [place for place, column in enumerate(table.columns) if column.benchmark == name]
    title = table.benchmarks[name].name if name else "Over all benchmarks"
    head = ["", "", *(_head(table.columns[place]) for place in places)]
    body: list[list[str]] = []
    for row in table.rows:
        body.append([row.name, "paper", *(row.figures[place] or ABSENT for place in places)])
        for line in lines:
            if line.row.name == row.name and (name in line.questions or not name):
                cells = [ABSENT if line.run_of else _cell(line.figures[place]) for place in places]
                body.append(["", _asked(line, name), *cells])
    return f"## {title}\n\n" + grid(head, body)


def _head(column: Column) -> str:
    return column.name if column.name.endswith(column.metric) else f"{column.name} ({column.metric})".strip()


def _asked(line: Line, name: str) -> str:
    if line.run_of:
        return f"{line.variant}: same run as {line.run_of}"
    left = line.remaining.get(name, 0)
    return f"{line.variant}, {line.questions[name]:,} asked, {left:,} left" if left else line.variant


def _cell(figure: Figure) -> str:
    if figure.value is None:
        return ABSENT
    sure = "†" if figure.p is not None and figure.p < SURE else ""
    text = shown(figure.value, figure) + sure
    if figure.low is not None and figure.high is not None and figure.low != figure.high:
        text += f" [{shown(figure.low, figure)}, {shown(figure.high, figure)}]"
    return text + (f" ({shown(figure.difference, figure, sign='+')})" if figure.difference is not None else "")


def shown(value: float, figure: Figure, sign: str = "") -> str:
    """Format a number with the decimals of the published figure, two where there is none."""
    digits = len(figure.printed.partition(".")[2]) if figure.printed else 2
    return f"{value:{sign},.{digits}f}"


def not_comparable(plan: Plan, evaluated: Mapping[tuple[str, ...], Evaluation]) -> str:
    """List the differences from the paper's runs: data by benchmark, models by row, equal ones joined."""
    data: dict[str, list[str]] = {}
    models: dict[str, list[str]] = {}
    for run in plan.runs:
        if run.key in evaluated:
            name = plan.table.benchmarks[run.benchmark].name
            if found := data_reasons(plan, run, evaluated[run.key]):
                data.setdefault(f"{name}: not comparable: {'; '.join(found)}", []).append(run.row.name)
            if found := model_reasons(plan.table, run.row, run.job.settings):
                models.setdefault(f"not comparable: {'; '.join(found)}", []).append(run.row.name)
    by_row = (f"{', '.join(dict.fromkeys(rows))}: {why}" for why, rows in models.items())
    return _bullets("What differs:", (*data, *by_row))


def readiness_markdown(plan: Plan) -> str:
    """List what of a table can be run, what is missing, and the models of the paper."""
    table = plan.table
    grouped: dict[tuple[str, str], list[str]] = {}
    for run in plan.runs:
        where = (run.job.settings.corpus, f"{len(run.job.questions):,} questions of {run.job.task.name}")
        grouped.setdefault(where, []).append(f"{run.row.name} ({run.variant})")
    runs = (
        f"{asked} over the corpus {corpus}: {', '.join(dict.fromkeys(rows))}"
        for (corpus, asked), rows in grouped.items()
    )
    models = {
        f"{role} {named}" for row in table.rows if row.method for role, named in {**table.models, **row.models}.items()
    }
    parts = [
        f"# {table.paper}, table {table.number}: {table.title}",
        _bullets("Ready:", runs),
        lacks_markdown(plan.missing),
        _bullets("Models of the paper (choose yours with --model, or by role with --set reader=…):", sorted(models)),
        _bullets("Not run:", (f"{row.name}: {row.absent}" for row in table.rows if row.absent)),
        _bullets("Notes:", table.notes),
    ]
    return "\n\n".join(part for part in parts if part)


def lacks_markdown(lacks: Iterable[MissingBenchmark]) -> str:
    """List what is missing, and how to get it."""
    return _bullets("Missing:", (f"{lack.benchmark}: {lack.reason}. {lack.remedy}" for lack in lacks))


def estimates_markdown(found: list[Estimate]) -> str:
    """Return the table of estimated costs of the remaining questions."""
    head = ["Run", "benchmark", "piloted", "left", *MEASURES]
    body = [
        [
            one.label,
            one.benchmark,
            str(one.pilot_questions),
            f"{one.remaining:,}",
            *(_range(*one.totals[name]) for name in MEASURES),
        ]
        for one in found
    ]
    total = summed(found)
    body.append(
        ["all", "", "", f"{sum(one.remaining for one in found):,}", *(_amount(total[name]) for name in MEASURES)]
    )
    return grid(head, body)


def _range(mean: float, low: float, high: float) -> str:
    return _amount(mean) if low == high else f"{_amount(mean)} [{_amount(low)}, {_amount(high)}]"


def _amount(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:,.3g}"


def grid(head: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    """Format a Markdown table; only the first column is left-aligned."""
    rows = [head, ["---", *["---:"] * (len(head) - 1)], *body]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows)


def _failures(lines: Sequence[Line]) -> str:
    """List the first failed questions of each run, and count the others."""
    parts: list[str] = []
    for line in lines:
        for name, failed in line.failed.items():
            run = f"{line.row.name} ({line.variant}), {name}"
            parts += [f"{run}, {one.id}: {one.error}" for one in failed[:_FAILURES_SHOWN]]
            if len(failed) > _FAILURES_SHOWN:
                parts.append(f"{run}: {len(failed) - _FAILURES_SHOWN:,} more, in its results.jsonl")
    return _bullets("Failed (scored 0; --retry-failed asks again):", parts)


def _bullets(title: str, entries: Iterable[str]) -> str:
    listed = list(entries)
    return "\n".join([title, *(f"- {entry}" for entry in listed)]) if listed else ""
