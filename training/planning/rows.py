"""Rows of training data out of a course: the two decisions of each of its rounds, as the planner is asked at run time.

What the planner sees comes from the nodes that show it: earlier rounds, found elements newest first with the earliest
pictures kept in sight, the question's picture before those that were found.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from langchain_core.messages import convert_to_openai_messages
from pydantic import BaseModel

from backtrail.nodes.cogplanner.retrieved_elements import Gathered, gathered
from backtrail.prompts.render import render
from backtrail.state.cogplanner.decisions import REFORMULATE, ROUTE
from backtrail.state.cogplanner.memory import Round, current_queries
from backtrail.state.cogplanner.settings import Paradigm
from backtrail.state.decision import Decision
from backtrail.state.planned_search import Reformulated, ReformulateInputs, Routed, RouteInputs
from backtrail.state.settings import Settings
from backtrail.tools.deciders.pictures import ShownPicture, shown_pictures
from backtrail.tools.deciders.protocol import PictureAttachment
from backtrail.tools.deciders.requests.messages import Conversation
from backtrail.tools.deciders.requests.reply_schema import REASONING, reply_form
from backtrail.training.planner_prompt import PICTURE_LABEL
from backtrail.training.planning.trajectory import Course

I = TypeVar("I", bound=BaseModel)
O = TypeVar("O", bound=BaseModel)
Kind = Literal["reformulate", "route"]


@dataclass(frozen=True)
class PlanningRow:
    """A row, and the pictures in it by their place among the parts.

    Args:
        action: what the round searched; rows are balanced by it.
        parts: of the user's message: texts, and pictures as the index in ``pictures``.
    """

    id: str
    kind: Kind
    action: str
    decision: str
    prompt: str
    system: str
    parts: tuple[str | int, ...]
    pictures: tuple[bytes, ...]
    reply: str

    def written(self, names: Sequence[str]) -> dict[str, Any]:
        """The row as it is written, with its pictures under these names."""
        said = [
            {"type": "text", "text": part} if isinstance(part, str) else {"type": "image", "path": names[part]}
            for part in self.parts
        ]
        return {
            "id": self.id,
            "class": self.action,
            "decision": self.decision,
            "prompt": self.prompt,
            "messages": [
                {"role": "system", "content": [{"type": "text", "text": self.system}]},
                {"role": "user", "content": said},
                {"role": "assistant", "content": [{"type": "text", "text": self.reply}]},
            ],
        }


def rows_of(course: Course, settings: Settings, paradigm: Paradigm) -> Iterator[PlanningRow]:
    """The decisions that led somewhere: rounds that found nothing are seen by later ones, and teach nothing."""
    for place, done in enumerate(course.rounds):
        if not _taught(course, done):
            continue
        before = list(course.rounds[:place])
        seen = gathered(
            course.contents, course.question, before, [one for one in course.searches if one["round"] <= place],
            course.evidence_before(place + 1), settings.cogplanner,
        )  # fmt: skip
        held = current_queries(before, course.question)
        common = {"question": course.question, "has_picture": course.picture is not None, "rounds": seen.rounds,
                  "elements": seen.elements}  # fmt: skip
        if done["queries"]:
            most = settings.cogplanner.queries
            asked = ReformulateInputs(**common, queries=held, most_queries=most)
            new = Reformulated(queries=done["queries"][:most], why=_why(done))
            yield _row(course, done, "reformulate", REFORMULATE, asked, new, seen, settings)
        left = max(1, settings.cogplanner.rounds - place)
        with_queries = done["queries"] if paradigm == "sequential" and done["queries"] else held
        routed = RouteInputs(**common, queries=with_queries, rounds_left=left)
        chosen = Routed(action=done["action"], why=_why(done))
        yield _row(course, done, "route", ROUTE, routed, chosen, seen, settings)


def _taught(course: Course, done: Round) -> bool:
    if done["action"] == "no search":
        return True
    made = [one for one in course.searches if one["round"] == done["index"]]
    return any(one["outcome"] == "found" for one in made)


def _why(done: Round) -> str:
    return done["why"][:1000]


def _row(
    course: Course, done: Round, kind: Kind, decision: Decision[I, O], inputs: I, output: O, seen: Gathered,
    settings: Settings,
) -> PlanningRow:  # fmt: skip
    rendered = render(decision.name, inputs)
    form = reply_form(decision, inputs, reasons=True)
    shown, contents = _shown(course, seen, settings)
    system, user = Conversation(rendered, form, shown).messages("schema", with_pictures=True)
    parts: list[str | int] = []
    at = 0
    for part in convert_to_openai_messages([user], text_format="block")[0]["content"]:
        if part["type"] == "text":
            parts.append(part["text"])
        else:
            parts.append(at)
            at += 1
    # The field to reason in comes first at run time; there is nothing to write into it that was not written.
    reply = {**({REASONING: ""} if form.reasons else {}), **output.model_dump(mode="json")}
    return PlanningRow(
        f"{course.id}/{done['index']}/{kind}", kind, done["action"], decision.name, rendered.hash,
        str(system.content), tuple(parts), tuple(contents), json.dumps(reply, ensure_ascii=False),
    )  # fmt: skip


def _shown(course: Course, seen: Gathered, settings: Settings) -> tuple[list[ShownPicture], list[bytes]]:
    """The pictures that can be shown, in the order of ``nodes.reading.pictures``, and their files."""
    most = settings.pictures
    given = [PictureAttachment(course.picture, "", PICTURE_LABEL)] if course.picture and most > 0 else []
    blobs = [(one.id, one.image.blob) for one in seen.components if one.image and one.image.blob]
    for id_, blob in blobs[:most]:
        if blob in course.contents.pictures:
            given.append(PictureAttachment(course.contents.picture(blob), "", f"Picture of {id_}"))
    usable = [one for one in given if shown_pictures([one])[0]]
    shown, _ = shown_pictures(usable)
    return shown, [one.content for one in usable]
