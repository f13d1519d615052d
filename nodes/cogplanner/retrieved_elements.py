"""The planning expert's view of rounds and retrieved elements, newest first."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest

from backtrail.language.shorten import shortened
from backtrail.nodes.reading.component_views import COMPONENT_CHARACTERS, component_text
from backtrail.state.cogplanner.memory import Round
from backtrail.state.cogplanner.settings import CogPlannerSettings
from backtrail.state.component import Component
from backtrail.state.evidence import Evidence
from backtrail.state.planned_search import Element, RoundView, SearchView
from backtrail.state.search import SearchRecord
from backtrail.tools.web.contents import ContentsReader

BY_PICTURE = "the question's picture"
PICTURES_KEPT = 4
"""Pictures of earlier rounds that stay in the view, whatever was found since (ours)."""


@dataclass(frozen=True)
class Gathered:
    """The views, and the components of the elements, interleaved by round."""

    rounds: list[RoundView]
    elements: list[Element]
    components: list[Component]


def gathered(
    contents: ContentsReader,
    question: str,
    rounds: list[Round],
    searches: list[SearchRecord],
    evidence: dict[str, Evidence],
    settings: CogPlannerSettings,
) -> Gathered:
    """Build the views, bounded in size. Reads contents (blocking)."""
    views = [
        RoundView(
            index=one["index"], queries=one["queries"], action=one["action"],
            searches=[_search_view(search) for search in searches if search["round"] == one["index"]],
        )
        for one in rounds
    ]  # fmt: skip
    newest_first = dict.fromkeys(id_ for one in reversed(rounds) for id_ in one["found"] if id_ in evidence)
    pictured_before = {id_ for search in searches if search["kind"] != "text" for id_ in search["found"]}
    shown = _in_sight(list(newest_first), pictured_before, settings.shown)
    by_picture = {id_ for search in searches if search["kind"] == "image-by-picture" for id_ in search["found"]}
    found = contents.components(shown)
    components = [found[id_] for id_ in shown if id_ in found]
    elements = [
        Element(
            id=component.id, round=evidence[component.id]["hop"], modality=component.modality,
            title=evidence[component.id]["title"],
            text=shortened(component_text(component, COMPONENT_CHARACTERS), question, settings.shown_characters),
            query=BY_PICTURE if component.id in by_picture else evidence[component.id]["query"],
        )
        for component in components
    ]  # fmt: skip
    return Gathered(views, elements, _by_turns(components, {one.id: one.round for one in elements}))


def _by_turns(components: list[Component], rounds: dict[str, int]) -> list[Component]:
    """Interleave components by round, so that the few pictures shown are not all of one round."""
    queues: dict[int, list[Component]] = {}
    for component in components:
        queues.setdefault(rounds[component.id], []).append(component)
    turns = zip_longest(*queues.values())
    return [component for turn in turns for component in turn if component is not None]


def _in_sight(newest_first: list[str], pictured: set[str], most: int) -> list[str]:
    """Return the newest, and the first pictures found, which identify the question's picture."""
    shown = newest_first[:most]
    early = [id_ for id_ in newest_first[most:] if id_ in pictured][:PICTURES_KEPT]
    return shown[: most - len(early)] + early


def _search_view(search: SearchRecord) -> SearchView:
    return SearchView(
        kind=search["kind"], query=search["query"], outcome=search["outcome"], reason=search["reason"],
        found=len(search["found"]),
    )  # fmt: skip
