"""Planning graph as a Mermaid flowchart."""

from __future__ import annotations

from collections.abc import Sequence

from backtrail.state.mmapg.planning_graph import PlanningNode, is_dead

SHAPES = {"question": ("([", "])"), "retrieval": ("[(", ")]"), "answer": ("[", "]"), "stop": ("((", "))")}
LABEL_CHARACTERS = 90
STYLES = (
    "classDef question fill:#dbeafe,stroke:#1d4ed8,color:#111",
    "classDef retrieval fill:#dcfce7,stroke:#15803d,color:#111",
    "classDef answer fill:#fef9c3,stroke:#a16207,color:#111",
    "classDef stop fill:#e5e7eb,stroke:#4b5563,color:#111",
    "classDef dead fill:#fee2e2,stroke:#b91c1c,color:#7f1d1d,stroke-dasharray:5 4",
)


def planning_mermaid(nodes: Sequence[PlanningNode]) -> str:
    """Return the flowchart with a line for each node and edge; dead ends have their own style."""
    lines = ["flowchart TD"]
    for node in nodes:
        opening, closing = SHAPES[node["kind"]]
        style = "dead" if is_dead(node) else node["kind"]
        lines.append(f'    {node["id"]}{opening}"{_label(node)}"{closing}:::{style}')
    for node in nodes:
        arrow = "-.->" if is_dead(node) else "-->"
        lines += [f"    {parent} {arrow} {node['id']}" for parent in node["parents"]]
    return "\n".join([*lines, *(f"    {style}" for style in STYLES)]) + "\n"


def _label(node: PlanningNode) -> str:
    head = f"{node['id']} {node['kind']}" + (f": {node['status']}" if is_dead(node) else "")
    texts = [node["instruction"]] if node["kind"] != "answer" else [node["instruction"], node["content"]]
    return "<br/>".join([head, *(_quoted(text) for text in texts if text)])


def _quoted(text: str) -> str:
    """Escape text to one line that can neither end the label nor start markup."""
    line = " ".join(text.split())
    line = line if len(line) <= LABEL_CHARACTERS else line[: LABEL_CHARACTERS - 1] + "…"
    for character in "#&<>\"'`|{}[]()\\":
        line = line.replace(character, f"#{ord(character)};" if character != "#" else "#35;")
    return line
