"""Score captions of a picture by their likelihood under a vision-language model."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from langchain_core.messages import HumanMessage

from backtrail.tools.deciders.pictures import shown_pictures
from backtrail.tools.deciders.protocol import PictureAttachment
from backtrail.tools.errors import ModelRejected
from backtrail.tools.likelihood.likelihood import Likelihood
from backtrail.tools.likelihood.served import ServedLikelihood

ASKED = "Describe this picture in one or two sentences: what kind of picture it is and what it shows."


async def caption_likelihoods(model: ServedLikelihood, picture: bytes, captions: Sequence[str]) -> list[Likelihood]:
    """Return the likelihood of each caption, in order; compare them by ``mean``.

    Raises:
        ModelRejected: the picture cannot be decoded.
        LikelihoodUnavailable, ModelUnavailable, ModelRejected: see ``ServedLikelihood.score``.
    """
    shown, notes = await asyncio.to_thread(shown_pictures, [PictureAttachment(picture, "", "Picture")])
    if not shown:
        raise ModelRejected(f"The captions cannot be scored: {'; '.join(notes)}.")
    parts: list[str | dict[str, object]] = [
        {"type": "image_url", "image_url": {"url": shown[0].data_url}},
        {"type": "text", "text": ASKED},
    ]
    return await model.score([HumanMessage(parts)], captions)
