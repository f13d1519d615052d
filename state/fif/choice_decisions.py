"""FiF's decisions of selection: documents and components of a shortlist, and the final ranking (4.2)."""

from __future__ import annotations

from pydantic import Field

from backtrail.state.decision import Decision, Offers, Part, quote_ids


# --- select (documents or components) ------------------------------------------------------------
class Candidate(Part):
    """An item of a shortlist; ``index`` is its position.

    Coverages are shares of the searched text's content terms, weighted by rarity, in [0, 1].
    """

    index: int
    id: str
    modality: str = "document"
    title: str
    text: str
    similarity: float
    coverage: float = Field(
        default=0.0, description="By the best piece of the item alone (row, sentence, picture text)."
    )
    path_coverage: float = Field(default=0.0, description="By the item and the linking piece that led to it together.")
    links: int = Field(default=0, description="How many documents of the corpus the item links to.")
    context: float | None = Field(
        default=None,
        description="Fit of a component's section and document, in [0, 1]; None without lexical search.",
    )


class SelectInputs(Part):
    """A shortlist to rerank for a subtask."""

    subtask: str
    candidates: list[Candidate]
    keep: int


class Choice(Part):
    """A chosen item, with its relevance."""

    index: int
    id: str
    score: float = Field(ge=0.0, le=1.0)


class Selection(Part):
    """The best first; only items that were offered."""

    choices: list[Choice]


def only_offered(inputs: SelectInputs | RerankInputs, selection: Selection) -> list[str]:
    """Check that every choice has an offered index with its own id, once."""
    offered = {candidate.index: candidate.id for candidate in inputs.candidates}
    problems: list[str] = []
    seen: set[int] = set()
    for choice in selection.choices:
        if choice.index not in offered:
            problems.append(f"Index {choice.index} was not offered; offered are 0 to {len(offered) - 1}.")
        elif offered[choice.index] != choice.id:
            problems.append(f"Index {choice.index} has the id {offered[choice.index]!r}, not {quote_ids(choice.id)}.")
        elif choice.index in seen:
            problems.append(f"Index {choice.index} was given twice.")
        seen.add(choice.index)
    return problems


def offered_candidates(inputs: SelectInputs | RerankInputs) -> Offers:
    """Return the offered indexes and ids."""
    return {
        "choices.index": [candidate.index for candidate in inputs.candidates],
        "choices.id": [candidate.id for candidate in inputs.candidates],
    }


def by_id(inputs: SelectInputs | RerankInputs, selection: Selection) -> Selection:
    """Keep each item once, at its first position, with the index of its id, which takes precedence."""
    places = {candidate.id: candidate.index for candidate in inputs.candidates}
    chosen: dict[str, Choice] = {}
    for choice in selection.choices:
        index = places.get(choice.id, choice.index)
        chosen.setdefault(choice.id, choice.model_copy(update={"index": index}))
    return Selection(choices=list(chosen.values()))


SELECT_DOCUMENTS = Decision(
    "fif_select_documents", SelectInputs, Selection, "planner", only_offered, offers=offered_candidates, normalize=by_id
)
SELECT_COMPONENTS = Decision(
    "fif_select_components",
    SelectInputs,
    Selection,
    "planner",
    only_offered,
    offers=offered_candidates,
    normalize=by_id,
)


# --- rerank --------------------------------------------------------------------------------------
class RerankCandidate(Candidate):
    """A component in memory, with the path that led to it."""

    parent: str | None = Field(default=None, description="The component in memory whose link leads here best.")
    from_best_row: bool = Field(default=False, description="Whether that link is in the parent's best row.")
    onward_coverage: float = Field(default=0.0, description="By the best path that starts at the item, within memory.")


class RerankInputs(Part):
    """All components in memory, with the original question."""

    question: str
    candidates: list[RerankCandidate]
    keep: int


RERANK = Decision(
    "fif_rerank", RerankInputs, Selection, "planner", only_offered, offers=offered_candidates, normalize=by_id
)
