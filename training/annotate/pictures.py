"""Pictures of questions on disk: read from below the folder of the questions, and from nowhere else."""

from __future__ import annotations

from pathlib import Path

from backtrail.ingest.errors import UnreadableSource
from backtrail.ingest.images import PictureFacts, check_picture


class QuestionUnusable(Exception):
    """Why a question cannot be annotated; becomes its record."""


def usable_picture(folder: Path, image: str | None) -> tuple[Path, PictureFacts]:
    """Where a picture lies, and what is known of it. Decodes it once: not for event loops.

    Args:
        folder: of the file of questions, resolved.
        image: the path in the question, from that folder.

    Raises:
        QuestionUnusable: there is none, it leaves the folder, or it cannot be decoded.
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
