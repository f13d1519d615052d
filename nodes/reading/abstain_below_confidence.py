"""Abstain and show quotes when the calibrated confidence of an offline answer is too low."""

from __future__ import annotations

from backtrail.nodes.reading.citation_locations import quoted
from backtrail.nodes.reading.component_views import clip
from backtrail.rules.reader.withholding_rules import Doubt, doubt
from backtrail.state.answer import Answer, Calibrated
from backtrail.state.offline.extract import reaches
from backtrail.state.settings import Settings

NEAREST = "These quotes come nearest to an answer; a model would be needed to read them:"

UNSURE = "I am not sure enough of an answer"
_WHY: dict[Doubt, str] = {
    "compared": "the question compares, orders or adds up things, and no source that was read states the result",
    "several": "the question asks for several things, and what I can read off, “{short}”, is one",
    "rival": "several things that were found fit equally well",
    "kind": "nothing of the kind that is asked for stands where the rest of the question is said",
    "column": "no column, and no sentence, is plainly about what is asked",
    "number": "no source that was read says the number that the question says",
    "other": "what comes nearest is said of something else than what the question names",
    "clause": "what comes nearest is said of it in another connection than the one asked about",
    "little": "no one place says enough of the question",
    "denied": "it asks for what is not so, which rules cannot read",
}
SHORT_CHARACTERS = 80
"""Of what was read for one part of a question, as it is told."""


def abstain_below_confidence(reply: Answer, settings: Settings) -> Answer:
    """The answer as it is given: unchanged where it is not calibrated, or as sure as the settings ask."""
    read = reply.get("calibrated")
    if read is None or reply.get("grounds") == "quotes":  # in place of a failed model it is said, and marked
        return reply
    whole = not read["signals"]  # a whole sentence or row, in a language whose questions rules cannot take apart
    if not reply["abstained"] and (whole or reaches(read["level"], settings.offline.least(settings.variant))):
        return reply
    shown = _withheld(reply, read)
    return {**reply, "short": "", "text": shown, "citations": [], "confidence": 0.0, "abstained": True}


def _withheld(reply: Answer, read: Calibrated) -> str:
    """Why there is no short answer, and the quotes, one a line."""
    why = reply["text"] if reply["abstained"] else _unsure(read)
    quotes = reply.get("quotes", [])
    if not quotes:
        return why
    return "\n".join([f"{why} {NEAREST}", *(f"{n}. {quoted(one)}" for n, one in enumerate(quotes, start=1))])


def _unsure(read: Calibrated) -> str:
    """What speaks against it, or, where that is nothing in particular, how sure it is."""
    against = doubt(read["signals"])
    if against is None:
        return f"{UNSURE} (confidence: {read['level']})."
    return f"{UNSURE}: {_WHY[against].format(short=clip(read['short'], SHORT_CHARACTERS))}."
