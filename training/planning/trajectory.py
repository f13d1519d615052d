"""Planning trajectory: the rounds that led to an answer, and the components that each retrieved."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from backtrail.state.cogplanner.memory import Round
from backtrail.state.component import Component, Document
from backtrail.state.evidence import Evidence
from backtrail.state.search import SearchRecord


@dataclass(frozen=True)
class Found:
    """Retrieved components by id, and pictures by their sha256. A ``ContentsReader``."""

    held: Mapping[str, Component] = field(default_factory=dict[str, Component])
    titles: Mapping[str, str] = field(default_factory=dict[str, str])
    pictures: Mapping[str, bytes] = field(default_factory=dict[str, bytes])

    def components(self, ids: Collection[str]) -> dict[str, Component]:
        """Return components by id; unknown ids are left out."""
        return {id_: self.held[id_] for id_ in ids if id_ in self.held}

    def documents(self, ids: Collection[str]) -> dict[str, Document]:
        """Return documents by id, with their titles; unknown ids are left out."""
        return {id_: Document(id=id_, title=self.titles[id_]) for id_ in ids if id_ in self.titles}

    def picture(self, blob: str) -> bytes:
        """Return the bytes of a picture. Raises KeyError when it is unknown."""
        return self.pictures[blob]


@dataclass(frozen=True)
class Trajectory:
    """One question with its planning rounds, the last of which is mostly without a search.

    Args:
        id: unique over all trajectories.
        picture: bytes of the question's picture.
        rounds: rounds as in the state of a run; ``found`` are ids of ``contents``.
        entity: subject of the picture, where the data set names it.
    """

    id: str
    question: str
    picture: bytes | None
    rounds: tuple[Round, ...]
    searches: tuple[SearchRecord, ...]
    contents: Found
    entity: str = ""

    def evidence_before(self, number: int) -> dict[str, Evidence]:
        """Return the evidence of the rounds before this one, as the planner sees it."""
        evidence: dict[str, Evidence] = {}
        for search in self.searches:
            for id_ in search["found"] if search["round"] < number else ():
                component = self.contents.held.get(id_)
                if component is not None and id_ not in evidence:
                    evidence[id_] = _evidence(component, self.contents.titles.get(component.document, ""), search)
        return evidence


def _evidence(component: Component, title: str, search: SearchRecord) -> Evidence:
    return Evidence(
        component=component.id, modality=component.modality, document=component.document, title=title, snippet="",
        locator={}, score=0.0, coverage=0.0, hop=search["round"], query=search["query"],
    )  # fmt: skip
