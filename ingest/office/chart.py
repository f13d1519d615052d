"""Charts of office documents (DrawingML, ISO/IEC 29500-1, 21.2) as tables: what they draw is stored beside them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from backtrail.ingest.html.text import normalise
from backtrail.state.component import Table

MAX_POINTS = 2000
"""Points of one series that are read; ours."""

_C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_KINDS = {
    "barChart": "bar chart", "bar3DChart": "bar chart", "lineChart": "line chart", "line3DChart": "line chart",
    "pieChart": "pie chart", "pie3DChart": "pie chart", "doughnutChart": "ring chart", "areaChart": "area chart",
    "area3DChart": "area chart", "scatterChart": "scatter chart", "bubbleChart": "bubble chart",
    "radarChart": "radar chart", "stockChart": "stock chart", "surfaceChart": "surface chart",
}  # fmt: skip


def chart_table(root: Any, title: str = "") -> Table | None:
    """What a chart shows: a row per category and a column per series; None if nothing is stored.

    Args:
        root: the root element of the chart's part.
        title: what the document calls it, where the chart itself has no title.
    """
    plot = root.find(f".//{_C}plotArea")
    if plot is None:
        return None
    title = _title(root.find(f"./{_C}chart/{_C}title")) or title
    kind = next((_KINDS[name] for group in plot if (name := _local(group)) in _KINDS), "chart")
    series = list(plot.iter(f"{_C}ser"))
    if any(one.find(f"{_C}xVal") is not None for one in series):
        header, rows = _points(series)
    else:
        header, rows = _categories(series, _axis_title(plot, ("catAx", "dateAx")))
    values = _axis_title(plot, ("valAx",))
    caption = " – ".join(part for part in (title, values if values not in header else "") if part)
    if not rows and not caption:
        return None
    return Table(caption=f"{caption} ({kind})" if caption else kind.capitalize(), header=header, rows=rows)


def _local(element: Any) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _title(element: Any | None) -> str:
    """The words of a title: written out, or taken from a cell."""
    if element is None:
        return ""
    paragraphs = ("".join(run.text or "" for run in one.iter(f"{_A}t")) for one in element.iter(f"{_A}p"))
    written = normalise(" ".join(paragraphs))
    return written or normalise(" ".join(value.text or "" for value in element.iter(f"{_C}v")))


def _axis_title(plot: Any, axes: tuple[str, ...]) -> str:
    found = (_title(axis.find(f"{_C}title")) for name in axes for axis in plot.iter(f"{_C}{name}"))
    return next((title for title in found if title), "")


def _values(holder: Any | None) -> dict[int, str]:
    """The stored points by their index; of categories in levels the innermost, after the outer ones."""
    if holder is None:
        return {}
    levels = list(holder.iter(f"{_C}lvl")) or [holder]
    found: dict[int, str] = {}
    for level in levels:
        outer = dict(_points_of(level))
        if not found:
            found = outer
            continue
        name = ""
        for index in sorted(found):
            name = outer.get(index, name)
            found[index] = f"{name} / {found[index]}" if name else found[index]
    return found


def _points_of(level: Any) -> Iterator[tuple[int, str]]:
    for number, point in enumerate(level.iter(f"{_C}pt")):
        index = point.get("idx", "")
        if number < MAX_POINTS and index.isdigit() and int(index) < 10 * MAX_POINTS:
            yield int(index), number_text(normalise(point.findtext(f"{_C}v") or ""))


def number_text(text: str) -> str:
    """A stored number without the digits that only floating point adds: "0.30000000000000004" is "0.3"."""
    try:
        value = float(text)
    except ValueError:
        return text
    return text if text.lstrip("-").isdigit() else f"{value:.12g}"


def _name(series: Any) -> str:
    return ", ".join(_values(series.find(f"{_C}tx")).values()) or normalise(series.findtext(f"{_C}tx/{_C}v") or "")


def _categories(series: list[Any], axis: str) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    names = next((found for one in series if (found := _values(one.find(f"{_C}cat")))), {})
    columns = [_values(one.find(f"{_C}val")) for one in series]
    indexes = sorted(set(names).union(*columns))
    header = (axis, *(_name(one) for one in series))
    rows = ((names.get(index, str(index + 1)), *(one.get(index, "") for one in columns)) for index in indexes)
    return header, tuple(row for row in rows if any(row[1:]))


def _points(series: list[Any]) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    rows: list[tuple[str, ...]] = []
    sized = any(one.find(f"{_C}bubbleSize") is not None for one in series)
    for one in series:
        x, y, size = (_values(one.find(f"{_C}{name}")) for name in ("xVal", "yVal", "bubbleSize"))
        for index in sorted(y):
            rows.append((_name(one), x.get(index, ""), y[index], *([size.get(index, "")] if sized else [])))
    return ("series", "x", "y", *(["size"] if sized else [])), tuple(rows)
