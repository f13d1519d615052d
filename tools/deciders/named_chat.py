"""Parameters of a chat model behind a client."""

from __future__ import annotations

from dataclasses import dataclass, field

from backtrail.tools.deciders.capabilities import Effort
from backtrail.tools.deciders.requests.rate_limit import Limits


@dataclass(frozen=True)
class NamedChat:
    """One model of one provider.

    Args:
        name: the name in the settings, for records and errors.
        model: the provider's name of the model.
        base_url: the server's address; None for the provider's usual one.
        temperature: None for models that accept none.
        reasons: whether replies begin with a reasoning field.
        effort: reasoning effort; None uses the model's default.
        seed: makes sampling repeatable, if the provider supports it; None samples freely.
        timeout: seconds that one request may take.
        max_attempts: requests sent before giving up.
        bare_letters: the model was trained to reply to one-letter decisions with the letter alone.
        batched: send requests in batches, at half the price; a reply may take a day.
    """

    provider: str
    name: str
    model: str
    base_url: str | None
    key: str | None = field(repr=False)
    temperature: float | None
    reasons: bool
    timeout: float
    max_attempts: int
    limits: Limits
    effort: Effort | None = None
    seed: int | None = None
    batched: bool = False
    bare_letters: bool = False
