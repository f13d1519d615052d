"""Parse likelihoods from servers' replies. Malformed replies count as replies without likelihoods."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from backtrail.tools.likelihood.likelihood import Likelihood


@dataclass(frozen=True)
class Step:
    """A token of a text with its log probability."""

    text: str
    logprob: float


def from_prompt(reply: Mapping[str, Any], text: str) -> Likelihood | None:
    """Parse vLLM's ``prompt_logprobs``: {id: {logprob, decoded_token}} per prompt token except the first.

    The text is the end of the prompt. A token that straddles the beginning of the text counts.
    """
    places = reply.get("prompt_logprobs")
    if not isinstance(places, list):
        return None
    spelt, total, tokens = "", 0.0, 0
    for place in reversed(places):
        step = _own_token(place)
        if step is None:
            return None
        spelt, total, tokens = step.text + spelt, total + step.logprob, tokens + 1
        if spelt.strip().endswith(text.strip()):
            return Likelihood(text, total, tokens)
        if len(spelt) > 2 * len(text) + 64:  # the tokens do not spell the text, such as broken characters
            return None
    return None


def _own_token(place: Any) -> Step | None:
    """Return the prompt's own token, which comes first, before more likely ones."""
    if not isinstance(place, Mapping) or not place:
        return None
    first = next(iter(place.values()))
    try:
        return Step(str(first["decoded_token"]), _finite(first["logprob"]))
    except (KeyError, TypeError, ValueError):
        return None


def from_echo(reply: Mapping[str, Any], prompt: str, text: str) -> Likelihood | None:
    """Parse a completion with ``echo``: ``tokens``, ``token_logprobs`` and ``text_offset``.

    A token that straddles the end of the prompt counts; tokens after the text do not.
    """
    logprobs = _logprobs(reply)
    tokens, scores, offsets = (logprobs.get(name) for name in ("tokens", "token_logprobs", "text_offset"))
    if not (isinstance(tokens, list) and isinstance(scores, list) and isinstance(offsets, list)):
        return None
    total, counted, end = 0.0, 0, len(prompt) + len(text)
    try:
        for token, score, offset in zip(tokens, scores, offsets, strict=True):
            if offset + len(str(token)) > len(prompt) and offset < end:
                total, counted = total + _finite(score), counted + 1
    except (TypeError, ValueError):
        return None
    return Likelihood(text, total, counted) if counted else None


def likely_in_chat(reply: Mapping[str, Any]) -> dict[str, float]:
    """Return the most likely first tokens of a chat completion; empty if it has none."""
    try:
        first = _choice(reply)["logprobs"]["content"][0]
        return {str(one["token"]): _finite(one["logprob"]) for one in [*first.get("top_logprobs", []), first]}
    except (KeyError, IndexError, TypeError, ValueError, AttributeError):
        return {}


def likely_in_completion(reply: Mapping[str, Any]) -> dict[str, float]:
    """Return the most likely first tokens of a completion; empty if it has none."""
    try:
        return {str(token): _finite(score) for token, score in _logprobs(reply)["top_logprobs"][0].items()}
    except (KeyError, IndexError, TypeError, ValueError, AttributeError):
        return {}


def step_along(likely: Mapping[str, float], rest: str) -> Step | None:
    """Return the token that the rest of the text begins with: the longest one, like a tokenizer.

    At the beginning of a reply the token may have a space that the text lacks.
    """
    fitting = [(token, score) for token, score in likely.items() if token and rest.startswith(token)]
    if not fitting:
        fitting = [(token.lstrip(), score) for token, score in likely.items()
                   if token.strip() and rest.startswith(token.lstrip())]  # fmt: skip
    if not fitting:
        return None
    token, score = max(fitting, key=lambda one: len(one[0]))
    return Step(token, score)


def tokens_used(reply: Mapping[str, Any]) -> tuple[int, int]:
    """Return the tokens of prompt and completion; 0 if the reply does not report them."""
    usage = reply.get("usage")
    used = usage if isinstance(usage, Mapping) else {}
    sent, written = (used.get(f"{part}_tokens") for part in ("prompt", "completion"))
    return sent if isinstance(sent, int) and sent > 0 else 0, written if isinstance(written, int) and written > 0 else 0


def _choice(reply: Mapping[str, Any]) -> Mapping[str, Any]:
    choices = reply.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else {}
    return first if isinstance(first, Mapping) else {}


def _logprobs(reply: Mapping[str, Any]) -> Mapping[str, Any]:
    logprobs = _choice(reply).get("logprobs")
    return logprobs if isinstance(logprobs, Mapping) else {}


def _finite(score: Any) -> float:
    """Convert a log probability; raise ValueError if it is not one."""
    try:
        value = float(score)
    except OverflowError as error:  # JSON has whole numbers of any length
        raise ValueError("no number") from error
    if math.isnan(value):
        raise ValueError("no number")
    return min(0.0, value)
