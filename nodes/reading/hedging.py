"""hedging: an answer read by rules is said where its calibrated confidence suffices; otherwise its quotes are shown."""

from __future__ import annotations

from backtrail.nodes.reading.places import quoted
from backtrail.state.answer import Answer
from backtrail.state.offline.extract import Level, reaches
from backtrail.state.settings import Settings

NEAREST = "These quotes come nearest to an answer; a model would be needed to read them:"


def hedged(reply: Answer, settings: Settings) -> Answer:
    """The answer as it is given: unchanged where it is not calibrated, or as sure as the settings ask."""
    read = reply.get("calibrated")
    if read is None or reply.get("grounds") == "quotes":  # in place of a failed model it is said, and marked
        return reply
    whole = not read["signals"]  # a whole sentence or row, in a language whose questions rules cannot take apart
    if not reply["abstained"] and (whole or reaches(read["level"], settings.offline.least(settings.variant))):
        return reply
    shown = _withheld(reply, read["level"])
    return {**reply, "short": "", "text": shown, "citations": [], "confidence": 0.0, "abstained": True}


def _withheld(reply: Answer, level: Level) -> str:
    """Why there is no short answer, and the quotes, one a line."""
    unsure = f"I am not sure enough of an answer (confidence: {level})."
    why = reply["text"] if reply["abstained"] else unsure
    quotes = reply.get("quotes", [])
    if not quotes:
        return why
    return "\n".join([f"{why} {NEAREST}", *(f"{n}. {quoted(one)}" for n, one in enumerate(quotes, start=1))])
