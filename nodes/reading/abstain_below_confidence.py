"""Abstention with quotes when the calibrated confidence of an offline answer is too low."""

from __future__ import annotations

from backtrail.nodes.reading.citation_locations import quoted
from backtrail.nodes.reading.component_views import clip
from backtrail.rules.reader.withholding_rules import Doubt, doubt
from backtrail.state.answer import Answer, Calibrated
from backtrail.state.offline.extract import reaches
from backtrail.state.settings import Settings

NEAREST = "These quotes come nearest to an answer; answering from them needs a model:"

UNSURE = "I am not sure enough of an answer"
_WHY: dict[Doubt, str] = {
    "compared": "the question compares, orders or adds up things, and no source that was read states the result",
    "several": "the question asks for several things, and I found only one, “{short}”",
    "rival": "several candidates fit equally well",
    "kind": "nothing of the kind asked for appears where the rest of the question is answered",
    "column": "no column or sentence is clearly about what is asked",
    "number": "no source contains the number in the question",
    "other": "the closest passage is about something else than what the question names",
    "clause": "the closest passage mentions it in another context than the one asked about",
    "little": "no single passage covers enough of the question",
    "denied": "the question is negated, which rules cannot answer",
}
SHORT_CHARACTERS = 80
"""Most characters of an extracted answer in the reason."""


def abstain_below_confidence(reply: Answer, settings: Settings) -> Answer:
    """Return the answer, or an abstention with quotes if its calibrated confidence is too low."""
    read = reply.get("calibrated")
    if read is None or reply.get("grounds") == "quotes":  # in place of a failed model it is given, and marked
        return reply
    whole = not read["signals"]  # a whole sentence or row, in a language whose questions rules cannot parse
    if not reply["abstained"] and (whole or reaches(read["level"], settings.offline.least(settings.variant))):
        return reply
    shown = _withheld(reply, read)
    return {**reply, "short": "", "text": shown, "citations": [], "confidence": 0.0, "abstained": True}


def _withheld(reply: Answer, read: Calibrated) -> str:
    """Return why there is no short answer, and the quotes, one per line."""
    why = reply["text"] if reply["abstained"] else _unsure(read)
    quotes = reply.get("quotes", [])
    if not quotes:
        return why
    return "\n".join([f"{why} {NEAREST}", *(f"{n}. {quoted(one)}" for n, one in enumerate(quotes, start=1))])


def _unsure(read: Calibrated) -> str:
    """Return the main doubt, or else the confidence."""
    against = doubt(read["signals"])
    if against is None:
        return f"{UNSURE} (confidence: {read['level']})."
    return f"{UNSURE}: {_WHY[against].format(short=clip(read['short'], SHORT_CHARACTERS))}."
