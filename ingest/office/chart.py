"""Charts of office documents (DrawingML, ISO/IEC 29500-1, 21.2) as tables, from their cached values."""

from __future__ import annotations

from itertools import islice
from typing import Any

from backtrail.ingest.html.text import normalise
from backtrail.ingest.office.elements import add_text, child, new
from backtrail.state.component import Table

MAX_POINTS = 2000
"""Most points of one series (ours)."""

_C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"


def chart_table(root: Any, title: str = "") -> Table | None:
    """Return a chart's values, a row per category and a column per series; None if none are stored.

    Args:
        root: the root element of the chart's part.
        title: title for a chart that has none.
    """
    plot = root.find(f".//{_C}plotArea")
    if plot is None:
        return None
    title = _title(root.find(f"./{_C}chart/{_C}title")) or title
    series = list(plot.iter(f"{_C}ser"))
    header, rows = (_points if any(one.find(f"{_C}xVal") is not None for one in series) else _categories)(series)
    return Table(caption=f"{title} (chart)" if title else "Chart", header=header, rows=rows) if rows or title else None


def chart_element(root: Any, title: str) -> Any | None:
    """Return the table of a chart as an HTML element."""
    table = chart_table(root, title) if root is not None else None
    if table is None:
        return None
    made = new("table")
    add_text(child(made, "caption"), table.caption)
    for tag, rows in (("th", [table.header]), ("td", table.rows)):
        for cells in rows:
            row = child(made, "tr")
            for cell in cells:
                add_text(child(row, tag), cell)
    return made


def _title(element: Any | None) -> str:
    """Return the text of a title, literal or cached from a cell."""
    if element is None:
        return ""
    paragraphs = ("".join(run.text or "" for run in one.iter(f"{_A}t")) for one in element.iter(f"{_A}p"))
    written = normalise(" ".join(paragraphs))
    return written or normalise(" ".join(value.text or "" for value in element.iter(f"{_C}v")))


def _values(holder: Any | None) -> dict[int, str]:
    """Return the stored points by index; of multi-level categories the innermost level."""
    found: dict[int, str] = {}
    inner = holder.find(f".//{_C}lvl") if holder is not None else None
    points = (holder if inner is None else inner).iter(f"{_C}pt") if holder is not None else ()
    for point in islice(points, MAX_POINTS):
        index = point.get("idx", "")
        if index.isdigit() and int(index) < 10 * MAX_POINTS:
            found[int(index)] = normalise(point.findtext(f"{_C}v") or "")
    return found


def _name(series: Any) -> str:
    return ", ".join(_values(series.find(f"{_C}tx")).values()) or normalise(series.findtext(f"{_C}tx/{_C}v") or "")


def _categories(series: list[Any]) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    names = next((found for one in series if (found := _values(one.find(f"{_C}cat")))), {})
    columns = [_values(one.find(f"{_C}val")) for one in series]
    indexes = sorted(set(names).union(*columns))
    header = ("", *(_name(one) for one in series))
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
