"""A planning graph as an SVG drawing: a row for each planning turn, a lane for each branch."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from xml.sax import saxutils

from backtrail.state.planning_graph import PlanningNode, is_dead

WIDTH, HEIGHT, GAP_X, GAP_Y, MARGIN = 300, 92, 36, 48, 24
COLUMNS, LINES = 44, 3
"""Characters of a line of text, and lines of it, that fit into a box."""
FILLS = {"question": "#dbeafe", "retrieval": "#dcfce7", "answer": "#fef9c3", "stop": "#e5e7eb"}
STROKES = {"question": "#1d4ed8", "retrieval": "#15803d", "answer": "#a16207", "stop": "#4b5563"}
DEAD_FILL, DEAD_STROKE = "#fee2e2", "#b91c1c"


def planning_svg(nodes: Sequence[PlanningNode]) -> str:
    """The drawing; dead ends are dashed and red."""
    lanes = assign_lanes(nodes)
    steps = {step: row for row, step in enumerate(sorted({node["step"] for node in nodes}))}
    places = {
        node["id"]: (MARGIN + lanes[node["id"]] * (WIDTH + GAP_X), MARGIN + steps[node["step"]] * (HEIGHT + GAP_Y))
        for node in nodes
    }
    width = 2 * MARGIN + (max(lanes.values(), default=0) + 1) * (WIDTH + GAP_X) - GAP_X
    height = 2 * MARGIN + max(len(steps), 1) * (HEIGHT + GAP_Y) - GAP_Y
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
        ' font-family="Helvetica, Arial, sans-serif" font-size="12" role="img" aria-label="Planning graph">',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
    ]
    for node in nodes:
        parts += [_edge(places[parent], places[node["id"]], dead=is_dead(node)) for parent in node["parents"]]
    parts += [_box(node, *places[node["id"]]) for node in nodes]
    return "\n".join([*parts, "</svg>"]) + "\n"


def assign_lanes(nodes: Sequence[PlanningNode]) -> dict[str, int]:
    """The column of each node: that of its last parent for the first child, a new one for each further child.

    Nodes of one turn stand in different columns.
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
    """Text for XML, without the control characters that no XML may hold."""
    return saxutils.escape("".join(one for one in text if one.isprintable() or one in "\n\t"))


def _edge(start: tuple[int, int], end: tuple[int, int], *, dead: bool) -> str:
    x, y = start[0] + WIDTH // 2, start[1] + HEIGHT
    to_x, to_y = end[0] + WIDTH // 2, end[1]
    bend = GAP_Y // 2
    look = f'stroke="{DEAD_STROKE}" stroke-dasharray="5 4"' if dead else 'stroke="#6b7280"'
    path = f"M{x},{y} C{x},{y + bend} {to_x},{to_y - bend} {to_x},{to_y}"
    return f'<path d="{path}" fill="none" {look} stroke-width="1.5"/>'


def _box(node: PlanningNode, x: int, y: int) -> str:
    dead = is_dead(node)
    fill, stroke = (DEAD_FILL, DEAD_STROKE) if dead else (FILLS[node["kind"]], STROKES[node["kind"]])
    dashes = ' stroke-dasharray="5 4"' if dead else ""
    head = f"{node['id']} {node['kind']}" + (f" – {node['status']}" if dead else "")
    said = node["content"] if node["kind"] == "answer" else node["instruction"] or node["content"]
    lines = textwrap.wrap(" ".join(said.split()), COLUMNS)
    if len(lines) > LINES:
        lines = [*lines[: LINES - 1], lines[LINES - 1][: COLUMNS - 1] + "…"]
    texts = [f'<text x="{x + 10}" y="{y + 20}" font-weight="bold" fill="#111111">{escape(head)}</text>']
    texts += [
        f'<text x="{x + 10}" y="{y + 40 + 17 * place}" fill="#111111">{escape(line)}</text>'
        for place, line in enumerate(lines)
    ]
    title = f"<title>{escape(node['content'])}</title>"
    box = f'<rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="8" fill="{fill}" stroke="{stroke}"{dashes}/>'
    return f"<g>{title}{box}{''.join(texts)}</g>"
