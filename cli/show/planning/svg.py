"""Planning graph as SVG: a row for each planning turn, a lane for each branch."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from xml.sax import saxutils

from backtrail.state.mmapg.planning_graph import PlanningNode, is_dead

WIDTH, HEIGHT, GAP_X, GAP_Y, MARGIN = 300, 92, 36, 48, 24
COLUMNS, LINES = 44, 3
"""Characters per line and lines per box."""
FILLS = {"question": "#dbeafe", "retrieval": "#dcfce7", "answer": "#fef9c3", "stop": "#e5e7eb"}
STROKES = {"question": "#1d4ed8", "retrieval": "#15803d", "answer": "#a16207", "stop": "#4b5563"}
DEAD_FILL, DEAD_STROKE = "#fee2e2", "#b91c1c"
Cell = tuple[int, int]
"""Lane and row of a box."""


def planning_svg(nodes: Sequence[PlanningNode]) -> str:
    """Return the drawing; dead ends are dashed and red, and all text is escaped."""
    cells = _cells(nodes)
    taken = set(cells.values())
    width = 2 * MARGIN + (max((lane for lane, _ in taken), default=0) + 1) * (WIDTH + GAP_X) - GAP_X
    height = 2 * MARGIN + (max((row for _, row in taken), default=0) + 1) * (HEIGHT + GAP_Y) - GAP_Y
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
        ' font-family="Helvetica, Arial, sans-serif" font-size="12" role="img" aria-label="Planning graph">',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
    ]
    for node in nodes:
        parts += [_edge(cells[parent], cells[node["id"]], taken, dead=is_dead(node)) for parent in node["parents"]]
    parts += [_box(node, *_corner(cells[node["id"]])) for node in nodes]
    return "\n".join([*parts, "</svg>"]) + "\n"


def _cells(nodes: Sequence[PlanningNode]) -> dict[str, Cell]:
    lanes = assign_lanes(nodes)
    rows = {step: row for row, step in enumerate(sorted({node["step"] for node in nodes}))}
    return {node["id"]: (lanes[node["id"]], rows[node["step"]]) for node in nodes}


def _corner(cell: Cell) -> tuple[int, int]:
    lane, row = cell
    return MARGIN + lane * (WIDTH + GAP_X), MARGIN + row * (HEIGHT + GAP_Y)


def assign_lanes(nodes: Sequence[PlanningNode]) -> dict[str, int]:
    """Assign a column to each node: its last parent's for the first child, a new one for further children.

    Nodes of the same turn have different columns.
    """
    lanes: dict[str, int] = {}
    continued: set[str] = set()
    taken: dict[int, set[int]] = {}
    for node in nodes:
        beside = taken.setdefault(node["step"], set())
        parent = node["parents"][-1] if node["parents"] else None
        lane = lanes[parent] if parent is not None else 0
        if (parent in continued or lane in beside) and node["kind"] != "stop":
            lane = max(lanes.values(), default=-1) + 1
        if parent is not None:
            continued.add(parent)
        lanes[node["id"]] = lane
        beside.add(lane)
    return lanes


def escape(text: str) -> str:
    """Escape text for XML and remove control characters, which XML forbids."""
    return saxutils.escape("".join(one for one in text if one.isprintable() or one in "\n\t"))


def _edge(start: Cell, end: Cell, taken: set[Cell], *, dead: bool) -> str:
    """Draw an edge down to another box that passes behind no third box."""
    (x, y), (to_x, to_y) = _corner(start), _corner(end)
    x, y, to_x = x + WIDTH // 2, y + HEIGHT, to_x + WIDTH // 2
    if end[1] == start[1] + 1:
        path = _bend(x, y, to_x, to_y)
    else:
        down = _way_down(start, end, taken)
        path = f"{_bend(x, y, down, y + GAP_Y)} V{to_y - GAP_Y} {_bend(down, to_y - GAP_Y, to_x, to_y)}"
    look = f'stroke="{DEAD_STROKE}" stroke-dasharray="5 4"' if dead else 'stroke="#6b7280"'
    return f'<path d="M{x},{y} {path}" fill="none" {look} stroke-width="1.5"/>'


def _way_down(start: Cell, end: Cell, taken: set[Cell]) -> int:
    """Return the x of an edge between rows: in the lane of either end if free, else in the gap beside it."""
    between = range(start[1] + 1, end[1])
    for lane in (end[0], start[0]):
        if not any((lane, row) in taken for row in between):
            return _corner((lane, 0))[0] + WIDTH // 2
    return _corner((end[0], 0))[0] - GAP_X // 2


def _bend(x: int, y: int, to_x: int, to_y: int) -> str:
    """Return a curve with vertical ends."""
    half = (to_y - y) // 2
    return f"C{x},{y + half} {to_x},{to_y - half} {to_x},{to_y}"


def _box(node: PlanningNode, x: int, y: int) -> str:
    dead = is_dead(node)
    fill, stroke = (DEAD_FILL, DEAD_STROKE) if dead else (FILLS[node["kind"]], STROKES[node["kind"]])
    dashes = ' stroke-dasharray="5 4"' if dead else ""
    head = f"{node['id']} {node['kind']}" + (f" – {node['status']}" if dead else "")
    text = node["content"] if node["kind"] == "answer" else node["instruction"] or node["content"]
    lines = textwrap.wrap(" ".join(text.split()), COLUMNS)
    if len(lines) > LINES:
        lines = [*lines[: LINES - 1], lines[LINES - 1][: COLUMNS - 1] + "…"]
    texts = [f'<text x="10" y="20" font-weight="bold" fill="#111111">{escape(head)}</text>']
    texts += [
        f'<text x="10" y="{40 + 17 * place}" fill="#111111">{escape(line)}</text>' for place, line in enumerate(lines)
    ]
    title = f"<title>{escape(node['content'])}</title>"
    box = f'<rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="8" fill="{fill}" stroke="{stroke}"{dashes}/>'
    # a nested svg clips text that is wider than its box, e.g. East Asian letters
    inside = f'<svg x="{x}" y="{y}" width="{WIDTH - 6}" height="{HEIGHT}">{"".join(texts)}</svg>'
    return f"<g>{title}{box}{inside}</g>"
