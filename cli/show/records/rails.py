"""Layout of hops on a page: a line that branches where a hop starts from an earlier one.

A hop without an anchor searches the whole corpus and is on the main line. A hop from an earlier hop is one lane
further in, connected by a line that passes all hops between.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from backtrail.state.hop import Hop

LANES = 6
"""Maximum number of lanes; deeper hops use the last one (ours: more do not fit on a phone)."""


@dataclass(frozen=True)
class Rails:
    """Lines beside one hop: its own lane, its origin's lane, and the lanes of lines that pass it.

    ``back`` is the step it went back to, unless that is the previous one.
    """

    lane: int
    origin: int
    through: tuple[int, ...]
    onward: bool
    back: int | None = None


def rails(hops: Sequence[Hop]) -> list[Rails]:
    """Return the rails of each hop, in time linear in hops and lanes."""
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
    open_until: dict[int, int] = {0: main}  # by lane, the place where its line ends
    for place, parent in enumerate(parents):
        lane, origin = lanes[place], 0 if parent is None else lanes[parent]
        through = tuple(sorted(one for one, until in open_until.items() if until > place))
        open_until[lane] = max(open_until.get(lane, -1), last_child.get(place, -1))
        back = hops[parent]["step"] if parent is not None and parent != place - 1 else None
        drawn.append(Rails(lane, origin, through, open_until[lane] > place, back))
    return drawn


def _parent(hop: Hop, place: int, places: dict[int, int]) -> int | None:
    """Return the place of the hop's origin; None for the whole corpus or an invalid anchor step."""
    anchor = places.get(hop["anchor_step"]) if hop["anchor_step"] is not None and hop["anchors"] else None
    return anchor if anchor is not None and anchor < place else None
