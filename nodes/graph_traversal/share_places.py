"""Share the places of a ranking among named documents (ours)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from backtrail.state.hop import Scored


def share_places(ranked: Sequence[Scored], groups: Sequence[Sequence[Scored]], keep: int) -> list[Scored]:
    """Return at most ``keep`` results: the best of all, the best of each group, then of all and of groups in turn.

    Args:
        ranked: of everything, best first.
        groups: the best of each named document, best first; without any the ranking stays as it is.
    """
    others = [one for turn in zip_longest(*(group[1:] for group in groups)) for one in turn]
    turns = [*ranked[:1], *(group[0] for group in groups if group)]
    turns += [one for turn in zip_longest(ranked[1:], others) for one in turn]
    first: dict[str, Scored] = {}
    for one in filter(None, turns):
        first.setdefault(one["id"], one)
    return list(first.values())[:keep]
