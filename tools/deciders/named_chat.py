"""What names a chat model behind a client, and how it is to be treated."""

from __future__ import annotations

from dataclasses import dataclass, field

from backtrail.tools.deciders.capabilities import Effort
from backtrail.tools.deciders.requests.rate_limit import Limits


@dataclass(frozen=True)
class NamedChat:
    """One model of one provider.

    Args:
        name: as it stands in the settings, for records and errors.
        model: the provider's name of it.
        base_url: where it is; None for the provider's usual address.
        temperature: None for models that take none.
        reasons: whether its replies begin with a field to reason in.
        effort: how much it is to reason by itself; None leaves that to it.
        seed: repeats a sample where the provider can; None draws anew.
        timeout: seconds that one request may take.
        tries: requests sent before giving up.
        bare_letters: it was trained to reply to decisions of one letter with that letter.
        batched: requests go together, at half the price, and a reply may take a day.
    """

    provider: str
    name: str
    model: str
    base_url: str | None
    key: str | None = field(repr=False)
    temperature: float | None
    reasons: bool
    timeout: float
    tries: int
    limits: Limits
    effort: Effort | None = None
    seed: int | None = None
    batched: bool = False
    bare_letters: bool = False
