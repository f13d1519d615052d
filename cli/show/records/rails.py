"""How the steps of a walk lie beside each other on a page: a line that branches where a step set out from another.

A step without an anchor searches the whole corpus and lies on the main line. One that set out from an earlier step
lies a lane further in than that one; its line comes down from there, past everything tried meanwhile.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from backtrail.state.hop import Hop

LANES = 6
"""Lanes that are drawn; what would lie further in lies in the last (ours: more do not fit on a phone)."""


@dataclass(frozen=True)
class Rails:
    """What is drawn beside one step, by lane: its own, that of where it came from, and the lines that pass it by.

    ``back`` is the step that it went back to, where that is not the one before it.
    """

    lane: int
    origin: int
    through: tuple[int, ...]
    onward: bool
    back: int | None = None


def rails(hops: Sequence[Hop]) -> list[Rails]:
    """The rails of each hop. Linear in hops and lanes."""
    places = {hop["step"]: place for place, hop in enumerate(hops)}
    parents = [_parent(hop, place, places) for place, hop in enumerate(hops)]
    lanes: list[int] = []
    last_child: dict[int, int] = {}
    main = max((place for place, parent in enumerate(parents) if parent is None), default=-1)
    for place, parent in enumerate(parents):
        lanes.append(0 if parent is None else min(lanes[parent] + 1, LANES - 1))
        if parent is not None:
            last_child[parent] = place
    drawn: list[Rails] = []
    open_until: dict[int, int] = {0: main}  # by lane, the last place that its line leads to
    for place, parent in enumerate(parents):
        lane, origin = lanes[place], 0 if parent is None else lanes[parent]
        through = tuple(sorted(one for one, until in open_until.items() if until > place))
        open_until[lane] = max(open_until.get(lane, -1), last_child.get(place, -1))
        back = hops[parent]["step"] if parent is not None and parent != place - 1 else None
        drawn.append(Rails(lane, origin, through, open_until[lane] > place, back))
    return drawn


def _parent(hop: Hop, place: int, places: dict[int, int]) -> int | None:
    """The place of the hop that this one set out from; None for the whole corpus, and for what was written oddly."""
    anchor = places.get(hop["anchor_step"]) if hop["anchor_step"] is not None and hop["anchors"] else None
    return anchor if anchor is not None and anchor < place else None
