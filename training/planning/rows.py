"""Training rows of a trajectory: the two decisions of each round, with the prompts of run time.

Prompts are built by the nodes of run time: earlier rounds, found elements newest first with the earliest pictures
kept, the question's picture before found ones.
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
from backtrail.training.planning.trajectory import Trajectory

I = TypeVar("I", bound=BaseModel)
O = TypeVar("O", bound=BaseModel)
Kind = Literal["reformulate", "route"]


@dataclass(frozen=True)
class PlanningRow:
    """A row and its pictures.

    Args:
        action: action of the round; rows are balanced by it.
        parts: parts of the user's message: texts, and pictures as the index in ``pictures``.
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
        """Return the row as a JSON object, with its pictures under these names."""
        content = [
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
                {"role": "user", "content": content},
                {"role": "assistant", "content": [{"type": "text", "text": self.reply}]},
            ],
        }


def rows_of(course: Trajectory, settings: Settings, paradigm: Paradigm) -> Iterator[PlanningRow]:
    """Yield the decisions of rounds that found something; the others only appear as earlier rounds."""
    for place, done in enumerate(course.rounds):
        if not _taught(course, done):
            continue
        before = list(course.rounds[:place])
        seen = gathered(
            course.contents, course.question, before, [one for one in course.searches if one["round"] <= place],
            course.evidence_before(place + 1), settings.cogplanner,
        )  # fmt: skip
        current = current_queries(before, course.question)
        common = {"question": course.question, "has_picture": course.picture is not None, "rounds": seen.rounds,
                  "elements": seen.elements}  # fmt: skip
        if done["queries"]:
            most = settings.cogplanner.queries
            asked = ReformulateInputs(**common, queries=current, most_queries=most)
            new = Reformulated(queries=done["queries"][:most], why=_why(done))
            yield _row(course, done, "reformulate", REFORMULATE, asked, new, seen, settings)
        left = max(1, settings.cogplanner.rounds - place)
        with_queries = done["queries"] if paradigm == "sequential" and done["queries"] else current
        routed = RouteInputs(**common, queries=with_queries, rounds_left=left)
        chosen = Routed(action=done["action"], why=_why(done))
        yield _row(course, done, "route", ROUTE, routed, chosen, seen, settings)


def _taught(course: Trajectory, done: Round) -> bool:
    if done["action"] == "no search":
        return True
    made = [one for one in course.searches if one["round"] == done["index"]]
    return any(one["outcome"] == "found" for one in made)


def _why(done: Round) -> str:
    return done["why"][:1000]


def _row(
    course: Trajectory, done: Round, kind: Kind, decision: Decision[I, O], inputs: I, output: O, seen: Gathered,
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
    # The reasoning field comes first at run time; trajectories have no reasoning to put into it.
    reply = {**({REASONING: ""} if form.reasons else {}), **output.model_dump(mode="json")}
    return PlanningRow(
        f"{course.id}/{done['index']}/{kind}", kind, done["action"], decision.name, rendered.hash,
        str(system.content), tuple(parts), tuple(contents), json.dumps(reply, ensure_ascii=False),
    )  # fmt: skip


def _shown(course: Trajectory, seen: Gathered, settings: Settings) -> tuple[list[ShownPicture], list[bytes]]:
    """Return the usable pictures, in the order of ``nodes.reading.pictures``, and their files."""
    most = settings.pictures
    attached = [PictureAttachment(course.picture, "", PICTURE_LABEL)] if course.picture and most > 0 else []
    blobs = [(one.id, one.image.blob) for one in seen.components if one.image and one.image.blob]
    for id_, blob in blobs[:most]:
        if blob in course.contents.pictures:
            attached.append(PictureAttachment(course.contents.picture(blob), "", f"Picture of {id_}"))
    usable = [one for one in attached if shown_pictures([one])[0]]
    shown, _ = shown_pictures(usable)
    return shown, [one.content for one in usable]
