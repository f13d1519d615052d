"""The text of a shape: its paragraphs with links, line breaks and formulas."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from backtrail.ingest.html.text import normalise
from backtrail.ingest.office.scripts import mark_scripts, open_script
from backtrail.ingest.word.elements import add_text, new
from backtrail.ingest.word.formulas import formula_text
from backtrail.ingest.word.names import R, local
from backtrail.state.component import Link

_SHIFT = re.compile(r"-?\d{1,7}")
_NUMBERS = frozenset({"slidenum", "datetime"})

FindLink = Callable[[str, str, str], Link | None]
"""The link of a relation id, an action and the text that carries it."""


def read_paragraphs(body: Any, find_link: FindLink) -> tuple[str, list[Link]]:
    """The paragraphs of a text body, one a line, and what they link to."""
    lines: list[str] = []
    links: list[Link] = []
    for paragraph in body.iter("{*}p") if body is not None else ():
        line = new("p")
        for part in paragraph:
            _read(part, line, links, find_link)
        mark_scripts(line)
        text = normalise("".join(line.itertext()))
        if text:
            lines.append(text)
    return "\n".join(lines), links


def _read(part: Any, line: Any, links: list[Link], find_link: FindLink) -> None:
    kind = local(part)
    if kind == "r" or (kind == "fld" and (part.get("type") or "").rstrip("0123456789") not in _NUMBERS):
        text = "".join(run.text or "" for run in part if local(run) == "t")
        add_text(_target(part, line), text)
        for click in part.iter("{*}hlinkClick"):
            link = find_link(click.get(f"{R}id") or "", click.get("action") or "", normalise(text))
            links.extend([link] if link else [])
    elif kind == "br":
        add_text(line, " ")
    elif kind in ("oMath", "oMathPara"):
        add_text(line, f" {formula_text(part)} ")
    elif kind in ("AlternateContent", "Choice", "m"):
        inner = [one for one in part if local(one) == "Choice"][:1] if kind == "AlternateContent" else list(part)
        for one in inner:
            _read(one, line, links, find_link)


def _target(run: Any, line: Any) -> Any:
    """Where the text of a run goes: raised and lowered text is of its own."""
    properties = run.find("{*}rPr")
    baseline = (properties.get("baseline") or "").rstrip("%") if properties is not None else ""
    if not _SHIFT.fullmatch(baseline) or not int(baseline):
        return line
    return open_script(line, "sub" if baseline.startswith("-") else "sup")
