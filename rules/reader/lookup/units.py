"""Units: a looked-up number with what belongs to it, from the name of its column or from what stands over the table."""

from __future__ import annotations

import re

from backtrail.rules.reader.lookup.look_up import Found
from backtrail.rules.reader.measures import dimension

_BARE = re.compile(r"[-−–+]?\d+(?:[.,\s]\d+)*(?:[eE][-+]?\d+)?")
_BRACKETED = re.compile(r"[(\[]([^()\[\]]{1,15})[)\]]")
# Units that ``measures`` does not ask for, and what is written like one: "mm/year", "W/m²".
_OTHERS = "ms µs us ns secs sec mins hrs hz khz mhz ghz kb mb gb tb kib mib gib v mv ma mah mpa kpa bar w l ml °c °f"
_RATE = re.compile(r"[A-Za-zµ°$€£]{1,6}\^?[23²³]?/[A-Za-zµ]{1,6}\^?[23²³]?")
_SCALE = re.compile(
    r"\bin\s+(?P<unit>(?:thousands|millions|billions)(?:\s+of\s+[\w.$€£]+|\s+(?:[A-Z]{3}|[$€£]))?)",
    re.IGNORECASE,
)


def in_full(found: Found) -> str:
    """The cell with its unit where it is a bare number: "70.53 ms", "-94 (in millions of CHF)"."""
    item = found.item
    name = item.header[found.column] if found.column < len(item.header) else ""
    if not _BARE.fullmatch(found.text):
        return found.text
    if unit := next((one.strip() for one in _BRACKETED.findall(name) if _is_unit(one.strip())), ""):
        return f"{unit}{found.text}" if unit in "$€£" else f"{found.text} {unit}"
    scale = _SCALE.search(" ".join([name, *item.header[:1], item.section]))
    return f"{found.text} (in {scale['unit']})" if scale else found.text


def _is_unit(text: str) -> bool:
    return dimension(text) is not None or text.casefold() in _OTHERS.split() or bool(_RATE.fullmatch(text))
