"""A planning trajectory: the rounds that led to an answer, and what each retrieved."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from backtrail.state.cogplanner.memory import Round
from backtrail.state.component import Component, Document
from backtrail.state.evidence import Evidence
from backtrail.state.search import SearchRecord


@dataclass(frozen=True)
class Found:
    """What the rounds of courses retrieved: components by id, pictures by their sha256. A ``ContentsReader``."""

    held: Mapping[str, Component] = field(default_factory=dict[str, Component])
    titles: Mapping[str, str] = field(default_factory=dict[str, str])
    pictures: Mapping[str, bytes] = field(default_factory=dict[str, bytes])

    def components(self, ids: Collection[str]) -> dict[str, Component]:
        """Components by id; unknown ids are left out."""
        return {id_: self.held[id_] for id_ in ids if id_ in self.held}

    def documents(self, ids: Collection[str]) -> dict[str, Document]:
        """Documents by id, by their titles."""
        return {id_: Document(id=id_, title=self.titles[id_]) for id_ in ids if id_ in self.titles}

    def picture(self, blob: str) -> bytes:
        """The file of a picture; KeyError when it is not held."""
        return self.pictures[blob]


@dataclass(frozen=True)
class Course:
    """One question with the rounds of its planning, the last of which mostly searches nothing.

    Args:
        id: unique over all courses.
        picture: the file that came with the question.
        rounds: as a run remembers them; ``found`` are ids of ``contents``.
        entity: what the picture shows, where the set says so.
    """

    id: str
    question: str
    picture: bytes | None
    rounds: tuple[Round, ...]
    searches: tuple[SearchRecord, ...]
    contents: Found
    entity: str = ""

    def evidence_before(self, number: int) -> dict[str, Evidence]:
        """What the rounds before this one had found, as the planner is shown it."""
        held: dict[str, Evidence] = {}
        for search in self.searches:
            for id_ in search["found"] if search["round"] < number else ():
                component = self.contents.held.get(id_)
                if component is not None and id_ not in held:
                    held[id_] = _evidence(component, self.contents.titles.get(component.document, ""), search)
        return held


def _evidence(component: Component, title: str, search: SearchRecord) -> Evidence:
    return Evidence(
        component=component.id, modality=component.modality, document=component.document, title=title, snippet="",
        locator={}, score=0.0, coverage=0.0, hop=search["round"], query=search["query"],
    )  # fmt: skip
