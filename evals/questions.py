"""Questions of a corpus bundle: one JSON object a line, checked before anything is run.

{id, question, image, answers: [str], gold: [[component ids, any one of which will do], …], hops, tags}

In place of component ids, ``evidence: [{document, quote | picture | page}, …]`` says what the gold is in the documents
themselves, so that it outlives another way of reading them; ``parts`` lists the wordings of each value of an answer
with several. A follow-up brings the conversation before it as ``history: [{question, answer}, …]``, oldest turn first.
A question that is asked of some documents alone names them in ``documents``.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from backtrail.evals.errors import QuestionsError
from backtrail.state.question_input import check_question


def _short_enough(question: str) -> str:
    check_question(question)
    return question


Asked = Annotated[str, AfterValidator(_short_enough)]
"""A question that a method will take on."""


class Exchange(BaseModel):
    """An earlier question of the conversation with its answer."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    question: Asked
    answer: str = ""


class Evidence(BaseModel):
    """One piece that is needed, as it stands in a document: the words of a text or row, a picture, or a whole page."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    document: str = Field(min_length=1, description="Document id: for files their path in the ingested folder.")
    quote: str | None = Field(default=None, pattern=r"\S", description="Visible text; a table row as 'cell | cell'.")
    picture: str | None = Field(
        default=None, pattern=r"\S", description="A file in the ingested folder; or 'page N …', 'slide N …'."
    )
    page: int | None = Field(default=None, ge=1, description="All that stands on this page or slide, counted from 1.")

    @model_validator(mode="after")
    def _one_of_three(self) -> Self:
        if sum(one is not None for one in (self.quote, self.picture, self.page)) != 1:
            raise ValueError("evidence is either a quote, a picture or a page")
        return self

    def __str__(self) -> str:
        """What is looked for, and where."""
        return f"{self.document}: {self.quote or self.picture or f'page {self.page}'}"


class Question(BaseModel):
    """One question with what counts as right. Without answers and gold it is unanswerable."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str = Field(min_length=1)
    question: Asked = Field(min_length=1, pattern=r"\S")
    image: str | None = None
    answers: tuple[str, ...] = Field(default=(), description="Any one will do.")
    gold: tuple[tuple[str, ...], ...] = Field(
        default=(), description="Groups of component ids: one of each group is needed, any one will do."
    )
    evidence: tuple[Evidence, ...] = Field(
        default=(), description="The same as it stands in the documents: all are needed. Gold is found from it."
    )
    parts: tuple[tuple[str, ...], ...] = Field(
        default=(), description="Wordings of each value that was asked for: a full answer has one of each."
    )
    corpus: str = Field(default="", description="The corpus of a benchmark with several.")
    documents: tuple[str, ...] = Field(
        default=(),
        description="Documents that alone are searched for it, by id; all of the corpus where none is named.",
    )
    kind: str = Field(default="", description="Of the evidence: paragraph, table, list, picture, …")
    hops: int = Field(default=0, ge=0, description="Components that have to be combined; 0 when unanswerable.")
    history: tuple[Exchange, ...] = Field(default=(), description="The conversation before it, oldest turn first.")
    tags: dict[str, Any] = Field(default_factory=dict)

    @property
    def answerable(self) -> bool:
        """Whether the corpus holds an answer."""
        return bool(self.answers or self.parts or self.gold or self.evidence)

    def tag(self, name: str) -> object:
        """What a breakdown groups by: a tag, else the question's own ``corpus``, ``kind`` or ``hops``."""
        if name in self.tags or name not in ("corpus", "kind", "hops"):
            return self.tags.get(name)
        return getattr(self, name)

    @property
    def asked(self) -> str:
        """Short hash of what a method is given. A result belongs to a question as long as this is the same."""
        given: list[Any] = [self.question, self.image]
        if self.history:
            given.append([[turn.question, turn.answer] for turn in self.history])
        if self.documents:
            given.append({"documents": self.documents})
        return hashlib.sha256(json.dumps(given).encode()).hexdigest()[:16]


def read_questions(file: Path) -> list[Question]:
    """All questions of a file in its order; empty lines are skipped.

    Raises:
        QuestionsError: the file cannot be read or holds none; a line is not a question; an id comes twice.
    """
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise QuestionsError(file, None, f"cannot be read ({error})") from error
    questions: list[Question] = []
    seen: dict[str, int] = {}
    # Not splitlines(): a line separator within a JSON string is no end of line.
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        question = _question(file, number, line)
        if question.id in seen:
            raise QuestionsError(file, number, f"id {question.id!r} was used before, in line {seen[question.id]}")
        seen[question.id] = number
        questions.append(question)
    if not questions:
        raise QuestionsError(file, None, "holds no questions")
    return questions


def _question(file: Path, number: int, line: str) -> Question:
    try:
        question = Question.model_validate_json(line)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        problem = first["msg"].removeprefix("Value error, ")
        raise QuestionsError(file, number, f"{field + ': ' if field else ''}{problem}") from error
    if any(not group for group in question.gold):
        raise QuestionsError(file, number, "gold: a group without component ids cannot be found")
    if question.gold and question.evidence:
        raise QuestionsError(file, number, "gold and evidence: one of the two, as one is found from the other")
    if any(not any(wording.strip() for wording in part) for part in question.parts):
        raise QuestionsError(file, number, "parts: a part without a wording cannot be answered")
    return question


def selected(questions: Sequence[Question], offset: int = 0, limit: int | None = None) -> list[Question]:
    """The questions from ``offset`` on, at most ``limit``, in the order of the file."""
    return list(questions[offset : None if limit is None else offset + limit])
