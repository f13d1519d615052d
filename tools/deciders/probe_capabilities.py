"""Probe what a model supports with one small request.

The request has a small picture, a schema, a temperature, a seed and an effort. It costs some hundred tokens.
"""

from __future__ import annotations

import io
from dataclasses import dataclass

from backtrail.state.answer_decisions import CONTEXTUALIZE, ContextualizeInputs, Turn
from backtrail.state.usage import Charge
from backtrail.tools.deciders.capabilities import Abilities
from backtrail.tools.deciders.lazy import LazyDecider
from backtrail.tools.deciders.open import open_decider
from backtrail.tools.deciders.protocol import PictureAttachment

_INPUTS = ContextualizeInputs(
    conversation=[
        Turn(speaker="user", text="Which river runs through Palverin?"),
        Turn(speaker="assistant", text="The Ondra runs through Palverin."),
    ],
    question="How long is it?",
)
_SEED = 7
_SIDE = 32  # pixels; some servers refuse smaller pictures


@dataclass(frozen=True)
class Probed:
    """Result of one request; ``abilities`` is None for deciders other than chat models."""

    abilities: Abilities | None
    charge: Charge


async def probe(model: str) -> Probed:
    """Send one request. Raises what opening the model or the decision raises."""
    decider = open_decider(model, temperature=0.0, effort="low", seed=_SEED)
    decided = await decider.decide(CONTEXTUALIZE, _INPUTS, [_picture()])
    opened = decider.opened if isinstance(decider, LazyDecider) else decider
    return Probed(getattr(opened, "abilities", None), decided.charge)


def _picture() -> PictureAttachment:
    from PIL import Image

    buffer = io.BytesIO()
    Image.new("RGB", (_SIDE, _SIDE), "white").save(buffer, "PNG")
    return PictureAttachment(content=buffer.getvalue(), mime="image/png", label="A white square")
