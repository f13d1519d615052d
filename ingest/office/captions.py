"""Captions that stand beside pictures as text of their own: "Figure 3: The lamp"."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence

from backtrail.ingest.draft import Draft

_CAPTION = re.compile(
    r"\s*(?:fig(?:ure|ura|\.)?|abb(?:ildung|\.)?|bild|photo|foto|chart|diagramm?|рис(?:унок|\.)?|图|図)\s*\d", re.I
)
_MOST_CHARACTERS = 300


def join_picture_captions(drafts: Sequence[Draft]) -> list[Draft]:
    """The drafts with the text after a picture, else the one before it, as its caption where it reads like one."""
    joined = list(drafts)
    for number, draft in enumerate(drafts):
        if draft.picture is None or draft.picture.caption:
            continue
        for beside in (number + 1, number - 1):
            caption = drafts[beside] if 0 <= beside < len(drafts) else None
            if caption is None or caption not in joined or not _is_caption(caption):
                continue
            draft.picture = dataclasses.replace(draft.picture, caption=" ".join(caption.text.split()))
            draft.links, draft.ids = draft.links + caption.links, draft.ids + caption.ids
            joined = [one for one in joined if one is not caption]
            break
    return joined


def _is_caption(draft: Draft) -> bool:
    return len(draft.text) <= _MOST_CHARACTERS and _CAPTION.match(draft.text) is not None
