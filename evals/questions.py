"""Questions of a corpus bundle: JSON lines, checked before a run.

{id, question, image, answers: [str], gold: [[component ids, any one of which will do], …], hops, tags}

Instead of component ids, ``evidence: [{document, quote | picture | page}, …]`` names the gold in the documents
themselves, so that it stays valid when parsers change; ``parts`` lists the wordings of each value of an answer with
several, ``items`` those of each item of a list, ``cells`` a table by row and column name, ``points`` the key points of
a summary. A follow-up has the conversation before it as ``history: [{question, answer}, …]``, oldest turn first.
``documents`` restricts a question to some documents.
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


QuestionText = Annotated[str, AfterValidator(_short_enough)]
"""A question of a length that methods accept."""


class Exchange(BaseModel):
    """An earlier question of the conversation with its answer."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    question: QuestionText
    answer: str = ""


class Evidence(BaseModel):
    """One needed piece of a document: the words of a text or row, a picture, or a whole page."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    document: str = Field(min_length=1, description="Document id: for files their path in the ingested folder.")
    quote: str | None = Field(default=None, pattern=r"\S", description="Visible text; a table row as 'cell | cell'.")
    picture: str | None = Field(
        default=None, pattern=r"\S", description="A file in the ingested folder; or 'page N …', 'slide N …'."
    )
    page: int | None = Field(default=None, ge=1, description="Everything on this page or slide, counted from 1.")

    @model_validator(mode="after")
    def _one_of_three(self) -> Self:
        if sum(one is not None for one in (self.quote, self.picture, self.page)) != 1:
            raise ValueError("evidence is either a quote, a picture or a page")
        return self

    def __str__(self) -> str:
        return f"{self.document}: {self.quote or self.picture or f'page {self.page}'}"


class Question(BaseModel):
    """One question with its gold answers and evidence. Without any of them it is unanswerable."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str = Field(min_length=1)
    question: QuestionText = Field(min_length=1, pattern=r"\S")
    image: str | None = None
    answers: tuple[str, ...] = Field(default=(), description="Any one will do.")
    gold: tuple[tuple[str, ...], ...] = Field(
        default=(), description="Groups of component ids: one of each group is needed, any one will do."
    )
    evidence: tuple[Evidence, ...] = Field(
        default=(), description="Evidence in the documents, all of it needed. Gold is derived from it."
    )
    parts: tuple[tuple[str, ...], ...] = Field(
        default=(), description="Wordings of each value of the answer: a full answer has one of each."
    )
    items: tuple[tuple[str, ...], ...] = Field(
        default=(), description="Wordings of each item of a list: the answer is these items and no others."
    )
    cells: dict[str, dict[str, str]] = Field(
        default_factory=dict[str, dict[str, str]], description="A table: cells by row name, then column name."
    )
    points: tuple[str, ...] = Field(default=(), max_length=40, description="Key points of a summary, for a judge.")
    corpus: str = Field(default="", description="The corpus of a benchmark with several.")
    documents: tuple[str, ...] = Field(
        default=(),
        description="Ids of the documents to search; the whole corpus where none is named.",
    )
    kind: str = Field(default="", description="Kind of the evidence: paragraph, table, list, picture, …")
    hops: int = Field(default=0, ge=0, description="Components that have to be combined; 0 when unanswerable.")
    history: tuple[Exchange, ...] = Field(default=(), description="Earlier turns of the conversation, oldest first.")
    tags: dict[str, Any] = Field(default_factory=dict)

    @property
    def answerable(self) -> bool:
        """Whether the corpus holds an answer."""
        return bool(self.values or self.cells or self.points or self.gold or self.evidence)

    @property
    def values(self) -> tuple[tuple[str, ...], ...]:
        """Wordings of each value that a full answer has: parts, items, or one of any answer."""
        return self.parts or self.items or ((self.answers,) if self.answers else ())

    def tag(self, name: str) -> object:
        """Return the value that a breakdown groups by: a tag, else the field ``corpus``, ``kind`` or ``hops``."""
        if name in self.tags or name not in ("corpus", "kind", "hops"):
            return self.tags.get(name)
        return getattr(self, name)

    @property
    def fingerprint(self) -> str:
        """Short hash of the input of a method. A stored result is valid as long as it is the same."""
        inputs: list[Any] = [self.question, self.image]
        if self.history:
            inputs.append([[turn.question, turn.answer] for turn in self.history])
        if self.documents:
            inputs.append({"documents": self.documents})
        return hashlib.sha256(json.dumps(inputs).encode()).hexdigest()[:16]


def read_questions(file: Path) -> list[Question]:
    """Read the questions of a file in its order; empty lines are skipped.

    Raises:
        QuestionsError: the file cannot be read or is empty; a line is not a question; an id occurs twice.
    """
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise QuestionsError(file, None, f"cannot be read ({error})") from error
    questions: list[Question] = []
    seen: dict[str, int] = {}
    # Not splitlines(): JSON strings may contain Unicode line separators.
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
        raise QuestionsError(file, number, "gold and evidence: give one of the two, as gold is derived from evidence")
    for name, wordings in (("parts", question.parts), ("items", question.items)):
        if any(not any(wording.strip() for wording in one) for one in wordings):
            raise QuestionsError(file, number, f"{name}: one without a wording cannot be answered")
    if question.parts and question.items:
        raise QuestionsError(file, number, "parts and items: give one of the two; items are those of a list")
    return question


def selected(questions: Sequence[Question], offset: int = 0, limit: int | None = None) -> list[Question]:
    """Return at most ``limit`` questions from ``offset`` on, in the order of the file."""
    return list(questions[offset : None if limit is None else offset + limit])
