"""Pictures of questions on disk, read only from below the folder of the questions."""

from __future__ import annotations

from pathlib import Path

from backtrail.ingest.errors import UnreadableSource
from backtrail.ingest.images import PictureFacts, check_picture


class QuestionUnusable(Exception):
    """A question that cannot be annotated; the message goes into its record."""


def usable_picture(folder: Path, image: str | None) -> tuple[Path, PictureFacts]:
    """Return the path and facts of a picture. Decodes it, so it blocks.

    Args:
        folder: resolved folder of the file of questions.
        image: path in the question, relative to that folder.

    Raises:
        QuestionUnusable: there is no picture, it lies outside the folder, or it cannot be decoded.
    """
    if image is None:
        raise QuestionUnusable("the question has no picture")
    path = (folder / image).resolve()
    if not path.is_relative_to(folder):
        raise QuestionUnusable(f"the picture {image!r} lies outside {folder}")
    try:
        return path, check_picture(path)
    except (UnreadableSource, OSError) as error:
        raise QuestionUnusable(f"the picture {image!r} cannot be used: {error}") from error
