"""Rows of training data: conversations that end with the expected reply, checked before training.

See ``training.annotate.export`` for the format. Other rows (planning records, general instructions) have only
``messages``; the content of a message is a text or a list of parts, with pictures as paths below the file's folder.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from backtrail.tools.deciders.pictures import shown_pictures
from backtrail.tools.deciders.protocol import PictureAttachment
from backtrail.training.annotate.balance import place_of
from backtrail.training.errors import RowsError
from backtrail.training.planner_prompt import DECISION as CHOICE_OF_PATH
from backtrail.training.planner_prompt import DECISIONS, current_hash


class Part(BaseModel):
    """Base model that ignores unknown fields, which may be for other trainers."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class TextPart(Part):
    """A text."""

    type: Literal["text"]
    text: str


class ImagePart(Part):
    """A picture, by its path relative to the folder of the file."""

    type: Literal["image"]
    path: str = Field(min_length=1)


class Message(Part):
    """One turn."""

    role: Literal["system", "user", "assistant"]
    content: str | list[Annotated[TextPart | ImagePart, Field(discriminator="type")]]

    @property
    def text(self) -> str:
        """Text parts, a line each."""
        if isinstance(self.content, str):
            return self.content
        return "\n".join(part.text for part in self.content if isinstance(part, TextPart))


class Row(Part):
    """A conversation; ``letters`` are the possible replies, empty for replies in words."""

    id: str = ""
    messages: list[Message] = Field(min_length=2)
    letters: tuple[str, ...] = ()
    decision: str = ""
    prompt: str = ""

    @property
    def reply(self) -> str:
        """The expected reply."""
        return self.messages[-1].text.strip()


class Sourced(BaseModel):
    """A row with the folder of its pictures."""

    model_config = ConfigDict(frozen=True)

    row: Row
    folder: Path


def read_rows(file: Path) -> list[Sourced]:
    """Read the rows of a file; empty lines are skipped.

    Raises:
        RowsError: the file cannot be read or has no rows; a line is no row, replies with an unknown letter, names
            a missing picture, or was exported with another version of the planner's prompt.
    """
    try:
        lines = file.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise RowsError(file, None, f"cannot be read ({error})") from error
    folder = file.resolve().parent
    rows: list[Sourced] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = Row.model_validate_json(line)
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(str(part) for part in first["loc"])
            raise RowsError(file, number, f"{place + ': ' if place else ''}{first['msg']}") from error
        if problem := _problem(row, folder):
            raise RowsError(file, number, problem)
        rows.append(Sourced(row=row, folder=folder))
    if not rows:
        raise RowsError(file, None, "holds no rows")
    return rows


def mixed(rows: Sequence[Sourced], general: Sequence[Sourced], ratio: float, seed: int) -> list[Sourced]:
    """Return the rows with general instructions, drawn without replacement (CogPlanner, section 4.3).

    Raises:
        RowsError: there are fewer general instructions than the ratio needs.
    """
    wanted = round(ratio * len(rows))
    if wanted > len(general):
        where = general[0].folder if general else Path("--general")
        raise RowsError(
            where, None, f"{wanted} general instructions are needed for {len(rows)} rows, there are {len(general)}. "
            "Add more with --general FILE, or lower general_ratio.",
        )  # fmt: skip
    texts = {at: place_of(f"{at}:{one.row.id}", seed) for at, one in enumerate(general)}
    return [*rows, *(general[at] for at in sorted(texts, key=texts.__getitem__)[:wanted])]


def conversation(sourced: Sourced) -> tuple[list[BaseMessage], list[str]]:
    """Return the messages before the reply, with pictures as data URLs, and problems with pictures."""
    messages: list[BaseMessage] = []
    notes: list[str] = []
    for message in sourced.row.messages[:-1]:
        if isinstance(message.content, str):
            content: str | list[str | dict[str, object]] = message.content
        else:
            content = []
            for part in message.content:
                if isinstance(part, TextPart):
                    content.append({"type": "text", "text": part.text})
                    continue
                picture = PictureAttachment((sourced.folder / part.path).read_bytes(), "", part.path)
                shown, problems = shown_pictures([picture])
                notes += problems
                content += [{"type": "image_url", "image_url": {"url": one.data_url}} for one in shown]
        kind = {"system": SystemMessage, "user": HumanMessage, "assistant": AIMessage}[message.role]
        messages.append(kind(content))
    return messages, notes


def digest(files: Sequence[Path]) -> str:
    """Return a short hash of the files' contents: a training resumes only with the same data."""
    hashes = [hashlib.sha256(file.read_bytes()).hexdigest() for file in files]
    return hashlib.sha256(json.dumps(hashes).encode()).hexdigest()[:16]


def _problem(row: Row, folder: Path) -> str | None:
    if row.messages[-1].role != "assistant" or not row.reply:
        return "the last message must be the assistant's, with a text"
    if row.letters and row.reply not in row.letters:
        return f"the reply {row.reply!r} is none of the letters {', '.join(row.letters)}"
    if row.decision in DECISIONS and row.prompt and row.prompt != current_hash(row.decision):
        return (
            f"the row was exported with another version of the prompt {row.decision!r}. "
            f"Export it again: backtrail annotate {'export' if row.decision == CHOICE_OF_PATH else 'rounds'}"
        )
    for message in row.messages:
        for part in message.content if not isinstance(message.content, str) else []:
            if isinstance(part, ImagePart) and not _inside(folder, part.path):
                return f"the picture {part.path!r} is no file below {folder}"
    return None


def _inside(folder: Path, path: str) -> bool:
    file = (folder / path).resolve()
    return file.is_relative_to(folder) and file.is_file()
