"""Combine several pictures of a question into one numbered sheet."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PIL import Image, ImageDraw, ImageFont

from backtrail.tools.corpus.blobs import BlobStore
from backtrail.tools.corpus.open_picture import open_picture
from backtrail.tools.home import home
from backtrail.tools.question_pictures.keep import LONGEST_SIDE, StoredPicture, on_white, store_picture

_EDGE, _HEAD = 12, 40
_GROUND, _INK = (255, 255, 255), (0, 0, 0)


def picture_sheet(pictures: Sequence[str], owner: str | None) -> StoredPicture:
    """Store a sheet of pictures in the given order, numbered "1", "2", …

    Raises:
        PictureUnreadable: one of them is missing or damaged.
    """
    columns = math.ceil(math.sqrt(len(pictures)))
    side = (LONGEST_SIDE - _EDGE) // columns - _EDGE - _HEAD
    shown: list[Image.Image] = []
    for sha256 in pictures:  # one at a time, as decoded pictures are large
        one = on_white(open_picture(BlobStore(home()).path(sha256)))
        one.thumbnail((side, side))
        shown.append(one)
    rows = [shown[start : start + columns] for start in range(0, len(shown), columns)]
    width = max(sum(one.width + _EDGE for one in row) for row in rows) + _EDGE
    height = sum(max(one.height for one in row) + _HEAD + _EDGE for row in rows) + _EDGE
    sheet = Image.new("RGB", (width, height), _GROUND)
    draw, font, number, top = ImageDraw.Draw(sheet), ImageFont.load_default(28), 0, _EDGE
    for row in rows:
        left = _EDGE
        for one in row:
            number += 1
            draw.text((left, top), str(number), _INK, font=font)
            sheet.paste(one, (left, top + _HEAD))
            left += one.width + _EDGE
        top += max(one.height for one in row) + _HEAD + _EDGE
    return store_picture(sheet, owner)
