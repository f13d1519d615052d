"""Probe what a model supports with one small request.

The request holds a small picture, a schema, a temperature, a seed and an effort. It costs some hundred tokens.
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

_ASKED = ContextualizeInputs(
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
    """What one request showed; no abilities where the model is no chat model, and takes what it is given."""

    abilities: Abilities | None
    charge: Charge


async def probe(model: str) -> Probed:
    """Ask once. Raises what opening the model or the decision raises."""
    decider = open_decider(model, temperature=0.0, effort="low", seed=_SEED)
    decided = await decider.decide(CONTEXTUALIZE, _ASKED, [_picture()])
    asked = decider.opened if isinstance(decider, LazyDecider) else decider
    return Probed(getattr(asked, "abilities", None), decided.charge)


def _picture() -> PictureAttachment:
    from PIL import Image

    held = io.BytesIO()
    Image.new("RGB", (_SIDE, _SIDE), "white").save(held, "PNG")
    return PictureAttachment(content=held.getvalue(), mime="image/png", label="A white square")
