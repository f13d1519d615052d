"""Evidence: a component that a run found, by reference, with where and how it was found."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict

from backtrail.state.path import EdgeKind

SNIPPET_CHARACTERS = 100


class EvidenceLocator(TypedDict, total=False):
    """Position of a citation within its component and source.

    ``row`` counts the component's own rows from 0, ``source_row`` those of its sheet or file from 1. ``columns``, from
    0, and ``column_names`` are those that a computation read in its rows. ``around``: the quote includes neighbouring
    rows or sentences.
    """

    page: int
    slide: int
    sheet: str
    source_row: int
    cell: int
    box: list[float]
    row: int
    rows: list[list[int]]
    source_rows: list[list[int]]
    columns: list[int]
    column_names: list[str]
    sentence: int
    around: bool
    fragment: str
    blob: str
    url: str
    relation: str


class Evidence(TypedDict):
    """One found component. Contents stay in the corpus; the snippet is for people reading a trace.

    ``parent`` led to it: by a link (``linked``), of ``parent_row`` if set, or by naming it; ``edge`` is the kind of an
    edge that no author wrote. ``duplicates``: found components with the same content, which it represents in rankings.
    """

    component: str
    modality: str
    document: str
    title: str
    snippet: str
    locator: EvidenceLocator
    score: float
    coverage: float
    hop: int
    query: str
    parent: NotRequired[str | None]
    parent_row: NotRequired[int | None]
    linked: NotRequired[bool]
    edge: NotRequired[EdgeKind]
    duplicates: NotRequired[list[str]]


def keep_best(current: dict[str, Evidence], found: dict[str, Evidence]) -> dict[str, Evidence]:
    """Reducer: keep the higher score per component; ties keep the earlier record and its ``duplicates``.

    Idempotent, so replaying a step after a crash changes nothing.
    """
    merged = dict(current)
    for component, evidence in found.items():
        if component not in merged or evidence["score"] > merged[component]["score"]:
            duplicates = merged.get(component, evidence).get("duplicates")
            merged[component] = (
                {**evidence, "duplicates": duplicates} if duplicates and "duplicates" not in evidence else evidence
            )
        elif "duplicates" in evidence:
            merged[component] = {**merged[component], "duplicates": evidence["duplicates"]}
    return merged
