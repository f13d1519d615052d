"""The answer of a run, with citations down to the row, sentence or picture."""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from backtrail.state.answer_structure import Structure
from backtrail.state.coverage import Completeness, Coverage
from backtrail.state.evidence import EvidenceLocator
from backtrail.state.offline.extract import Level


class DuplicateSource(TypedDict):
    """Another source with the same content as a citation."""

    component: str
    document: str
    title: str
    section: str
    modality: str
    locator: EvidenceLocator


class Citation(TypedDict):
    """A source that supports a statement of the answer.

    ``duplicates`` lists components with the same content; ``more_duplicates`` counts those that are not listed.
    """

    component: str
    document: str
    title: str
    section: str
    modality: str
    locator: EvidenceLocator
    quote: str
    duplicates: NotRequired[list[DuplicateSource]]
    more_duplicates: NotRequired[int]


Knowledge = Literal["evidence", "both", "own"]
"""What an answer may be based on: evidence, evidence first and then own knowledge, or own knowledge alone."""
Grounds = Literal["evidence", "both", "own", "quotes"]
"""What an answer is based on. ``quotes``: rules read the evidence, because the model failed."""


class Calibrated(TypedDict):
    """Confidence of reading by rules, with its signals (``backtrail.rules.reader.withholding_rules``).

    ``short`` is the extracted answer, "" if there is none; it is shown only if ``level`` suffices. ``probability`` is
    computed from ``signals``.
    """

    short: str
    level: Level
    probability: float
    signals: dict[str, float]


class Answer(Structure):
    """Answer text in Markdown with its citations, and items, a table or sections where it has such a form.

    The text of an abstention says what was not found.

    ``short`` is the bare answer that scorers compare: a span, a number, a list or a letter; ``text`` is the sentence
    with its reasons. Old runs have ``text`` alone. ``not_found`` lists numbers, dates and names of the text
    that nothing cited contains. Own knowledge is never cited; without ``grounds`` the answer is based on evidence.

    An answer by rules has ``calibrated`` and ``quotes``, the pieces that most likely hold it. If the confidence is too
    low, ``abstained`` is true, ``short`` is empty and ``text`` shows the quotes.

    ``coverage`` counts what gatherings and computations read, ``complete`` says whether that is all.
    """

    short: NotRequired[str]
    text: str
    citations: list[Citation]
    confidence: float
    abstained: bool
    grounds: NotRequired[Grounds]
    not_found: NotRequired[list[str]]
    calibrated: NotRequired[Calibrated]
    quotes: NotRequired[list[Citation]]
    coverage: NotRequired[list[Coverage]]
    complete: NotRequired[Completeness]
