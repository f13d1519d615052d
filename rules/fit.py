"""How well something fits a text, from its measures. The weights every FiF rule shares."""

from __future__ import annotations

# Coverage says which constraints are met and decides; similarity finds other wordings and separates ties. From 0.5 to
# 0.7 the gold found in the first ten stays the same, within a question or two, on each corpus at hand.
SIMILARITY = 0.6
# What heading and neighbours say counts for nearly half of what a component says itself (0.3 to 0.6 rank alike). A row
# is worded more tersely than the questions that are asked about it, so a table lies farther from them than a text that
# says as much (0.1 to 0.2 lift tables and move nothing else).
CONTEXT = 0.45
TABLE = 0.15
CHILD_SIMILARITY = 0.3
BEST_ROW = 0.2
# A path is credited as far as it explains the text: below the first coverage not at all, from the last on in full.
# Where few words are shared a link says little: real pages link to each other whatever is asked. What a path leads to
# is credited sooner than what it starts from, since a hop chose to go there.
EXPLAINS_END = 0.2
EXPLAINS_START = 0.35
EXPLAINS_WELL = 0.65


def alone(coverage: float, similarity: float, context: float | None = None, *, table: bool = False) -> float:
    """Fit of one component by itself, in [-0.6, 1.6]; with the context of its section, in [-0.6, 2.2]."""
    own = coverage + SIMILARITY * similarity
    return own if context is None else own + CONTEXT * context + (TABLE if table else 0.0)


def as_start(onward_coverage: float, own_fit: float) -> float:
    """Fit of a component from which a path leads on; its own fit where the path explains nothing.

    The path's coverage includes the component's own, so a start outranks what it leads to: it is
    the piece that makes the rest relevant. 1.2 and 0.8 keep that order for equal paths and let a
    well fitting parent lift its children (measured on linked tables; anything from 1.0/0.7 to 1.5/1.0
    ranks within half a point).
    """
    from_here = onward_coverage + 1.2 * own_fit + BEST_ROW
    return own_fit + _explained(onward_coverage, EXPLAINS_START) * (from_here - own_fit)


def as_end(path_coverage: float, similarity: float, own_fit: float, parent_fit: float, from_best_row: bool) -> float:
    """Fit of a component at the end of a path from a parent; the best row's own links come first."""
    led_to = path_coverage + CHILD_SIMILARITY * similarity + 0.8 * parent_fit + (BEST_ROW if from_best_row else 0.0)
    return own_fit + _explained(path_coverage, EXPLAINS_END) * (led_to - own_fit)


def _explained(path_coverage: float, least: float) -> float:
    return min(1.0, max(0.0, (path_coverage - least) / (EXPLAINS_WELL - least)))
