"""The answer of a run, with citations down to the row, sentence or picture."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict

from backtrail.state.evidence import EvidenceLocator


class Citation(TypedDict):
    """What a statement rests on."""

    component: str
    document: str
    title: str
    section: str
    modality: str
    locator: EvidenceLocator
    quote: str


class Answer(TypedDict):
    """Text and its support. An abstention is an answer too: it says what was not found.

    ``short`` is the answer alone, as it is compared and counted: a span, a number, a list or a letter; ``text`` is
    the sentence with its reasons, as it is shown. Runs that were kept before answers had both hold ``text`` alone.
    """

    short: NotRequired[str]
    text: str
    citations: list[Citation]
    confidence: float
    abstained: bool
