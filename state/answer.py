"""The answer of a run, with citations down to the row, sentence or picture."""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from backtrail.state.evidence import EvidenceLocator
from backtrail.state.offline.extract import Level


class DuplicateSource(TypedDict):
    """Another place where what is cited is said too."""

    component: str
    document: str
    title: str
    section: str
    modality: str
    locator: EvidenceLocator


class Citation(TypedDict):
    """What a statement rests on.

    ``also``: components that say the same, so that the search gave them one place; ``also_more``: how many of them are
    not named.
    """

    component: str
    document: str
    title: str
    section: str
    modality: str
    locator: EvidenceLocator
    quote: str
    also: NotRequired[list[DuplicateSource]]
    also_more: NotRequired[int]


Knowledge = Literal["evidence", "both", "own"]
"""What an answer may rest on: what was found alone; that first, and own knowledge where it says nothing; that alone."""
Grounds = Literal["evidence", "both", "own", "quotes"]
"""What an answer does rest on. Quotes: rules read the evidence, because the model failed."""


class Calibrated(TypedDict):
    """How sure reading by rules is, and what speaks against it (``backtrail.rules.reader.withholding_rules``).

    ``short`` is what was read, said only where ``level`` suffices; "" where nothing was. ``probability`` is
    the confidence of the reading, which rests on ``signals``.
    """

    short: str
    level: Level
    probability: float
    signals: dict[str, float]


class Answer(TypedDict):
    """Text and its support. An abstention is an answer too: it says what was not found.

    ``short`` is the answer alone, as it is compared and counted: a span, a number, a list or a letter; ``text`` is
    the sentence with its reasons, as it is shown. Runs that were kept before answers had both hold ``text`` alone.
    ``unborne`` are the sentences of the text that the cited pieces do not plainly say, by the words of both.
    Own knowledge is never cited; ``grounds`` says where an answer rests on it. Without ``grounds`` it is the evidence.

    Read by rules, an answer is ``calibrated`` and has ``quotes``, the pieces that most likely hold it. Where they are
    not sure enough of it, ``abstained`` is true, ``short`` is empty and ``text`` shows those.
    """

    short: NotRequired[str]
    text: str
    citations: list[Citation]
    confidence: float
    abstained: bool
    grounds: NotRequired[Grounds]
    unborne: NotRequired[list[str]]
    calibrated: NotRequired[Calibrated]
    quotes: NotRequired[list[Citation]]
