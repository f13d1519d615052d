"""Check the pictures of questions and store them in home under their sha256."""

from __future__ import annotations

from pathlib import Path

from backtrail.evals.errors import QuestionsError
from backtrail.evals.questions import Question
from backtrail.ingest.errors import UnreadableSource
from backtrail.ingest.store_picture import store_picture


def with_kept_picture(question: Question, file: Path) -> Question:
    """Return the question with its picture stored; ``image`` is a path relative to the questions file.

    Raises:
        QuestionsError: the path leaves the file's folder, or the file is no usable picture.
    """
    if question.image is None:
        return question
    folder = file.parent.resolve()
    path = (folder / question.image).resolve()
    if not path.is_relative_to(folder):
        problem = f"the picture {question.image!r} of question {question.id!r} lies outside {folder}"
        raise QuestionsError(file, None, problem)
    try:
        stored = store_picture(path)
    except (UnreadableSource, OSError) as error:
        raise QuestionsError(file, None, f"the picture of question {question.id!r} cannot be used: {error}") from error
    return question.model_copy(update={"image": stored})
