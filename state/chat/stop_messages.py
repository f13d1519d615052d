"""Stop reasons as text for people."""

from __future__ import annotations

from collections.abc import Mapping

CEILINGS: Mapping[str, str] = {
    "steps": "steps", "calls": "model calls", "input_tokens": "input tokens", "output_tokens": "output tokens",
    "usd": "US dollars", "seconds": "seconds",
}  # fmt: skip
"""Names of the budget ceilings for people."""

_WORDS: Mapping[str, str] = {
    "": "done",
    "answered": "the question was answered",
    "beam searched": "every path of the beam was followed",
    "final answer": "it chose to answer",
    "no new query": "no further query was left to try",
    "no search": "it chose not to search",
    "nothing found": "the search found nothing",
    "nothing more to search": "there was nothing more to search",
    "single-shot": "one search and one reading, as the method has it",
    "stop": "it chose to stop searching",
    "answered at once": "answered at once, without a search",
    "useful": "the draft was judged useful",
}


def ending(stop_reason: str) -> str:
    """Return why a run ended, in words; unknown stop reasons are returned unchanged."""
    kind, _, named = stop_reason.partition(":")
    if kind == "budget":
        return f"the budget of {CEILINGS.get(named, named)} was used up"
    if kind == "limit":
        return f"its limit of {named} was reached"
    if kind == "failed":
        return f"the model failed at {named}"
    if kind == "path":
        return f"it chose {named}"
    return _WORDS.get(stop_reason, stop_reason)
