"""Plot a reproduced table: per column the published figures as rings, ours as dots with intervals.

A self-contained SVG, without a plotting library. Each column has its own axis, from 0 or the smallest value to the
largest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

from backtrail.evals.published.table import Table
from backtrail.evals.reproduction.figures import Figure, Line

_LABELS, _WIDTH, _ROW, _HEAD, _GAP = 220, 420, 16, 34, 14
_COLOURS = {"published": "#b3541e", "ours": "#1f5fa8"}
_STYLE = "text{font:11px sans-serif;fill:#222} .head{font-weight:bold} .axis{stroke:#ddd} .paper{fill:none;stroke:#444}"


def as_svg(table: Table, lines: Sequence[Line]) -> str:
    """Return the SVG; columns without any figure of ours are left out."""
    drawn = [
        place for place in range(len(table.columns)) if any(line.figures[place].value is not None for line in lines)
    ]
    parts: list[str] = []
    top = _HEAD
    for place in drawn:
        panel, height = _panel(table, place, lines, top)
        parts += panel
        top += height + _GAP
    parts.append(_legend())
    width = _LABELS + _WIDTH + 90
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {top + _HEAD}" width="{width}" '
        f'height="{top + _HEAD}" role="img"><title>{escape(f"{table.paper}, table {table.number}: {table.title}")}'
        f'</title><style>{_STYLE}</style><rect width="100%" height="100%" fill="white"/>{"".join(parts)}</svg>\n'
    )


def _panel(table: Table, place: int, lines: Sequence[Line], top: float) -> tuple[list[str], float]:
    column = table.columns[place]
    benchmark = table.benchmarks[column.benchmark].name if column.benchmark else "all"
    measured = [line for line in lines if line.figures[place].value is not None and not line.run_of]
    values = [value for line in measured for value in _values(line.figures[place])]
    low, high = min(0.0, *values), max(values)
    scale = _WIDTH / ((high - low) or 1.0)

    def x(value: float) -> float:
        return _LABELS + (value - low) * scale

    parts = [f'<text class="head" x="8" y="{top}">{escape(f"{benchmark}: {column.name or column.metric}")}</text>']
    for number, line in enumerate(measured):
        y = top + _ROW * (number + 1)
        name = f"{line.row.name} ({line.variant})"
        parts.append(f'<text x="8" y="{y + 4}">{escape(name[:36])}<title>{escape(name)}</title></text>')
        parts.append(f'<line class="axis" x1="{_LABELS}" x2="{_LABELS + _WIDTH}" y1="{y}" y2="{y}"/>')
        parts += _marks(line.figures[place], _COLOURS[line.variant], x, y)
    return parts, _ROW * (len(measured) + 1)


def _values(figure: Figure) -> list[float]:
    return [value for value in (figure.value, figure.low, figure.high, figure.published) if value is not None]


def _marks(figure: Figure, colour: str, x: Callable[[float], float], y: float) -> list[str]:
    parts: list[str] = []
    if figure.low is not None and figure.high is not None:
        ends = f'x1="{x(figure.low):.1f}" x2="{x(figure.high):.1f}"'
        parts.append(f'<line {ends} y1="{y}" y2="{y}" stroke="{colour}" stroke-width="2"/>')
    if figure.value is not None:
        parts.append(f'<circle cx="{x(figure.value):.1f}" cy="{y}" r="3.5" fill="{colour}"/>')
        parts.append(f'<text x="{_LABELS + _WIDTH + 8}" y="{y + 4}">{figure.value:,.4g}</text>')
    if figure.published is not None:
        parts.append(f'<circle class="paper" cx="{x(figure.published):.1f}" cy="{y}" r="5"/>')
    return parts


def _legend() -> str:
    entries = ['<circle class="paper" cx="14" cy="12" r="5"/><text x="24" y="16">in the paper</text>']
    for number, (variant, colour) in enumerate(_COLOURS.items()):
        left = 120 + 160 * number
        entries.append(f'<circle cx="{left}" cy="12" r="3.5" fill="{colour}"/>')
        entries.append(f'<text x="{left + 10}" y="16">here, variant {variant}</text>')
    return "".join(entries)
