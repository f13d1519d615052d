"""Prompt T of the planner for training, identical to the one at run time (section 3.3)."""

from __future__ import annotations

import io
from dataclasses import dataclass

from langchain_core.messages import BaseMessage

from backtrail.prompts.render import Rendered, load_prompt, render
from backtrail.state.cogplanner.decisions import REFORMULATE, ROUTE
from backtrail.state.vqa_planner.decisions import CHOOSE_PATH, OPTIONS, ChoosePathInputs
from backtrail.tools.deciders.pictures import ShownPicture, shown_pictures
from backtrail.tools.deciders.protocol import PictureAttachment
from backtrail.tools.deciders.requests.messages import Conversation
from backtrail.tools.deciders.requests.reply_schema import ReplyForm, reply_form

PICTURE_LABEL = "Picture of the question"
"""Same label as in ``nodes.reading.pictures.attach_question_picture``."""
DECISION = CHOOSE_PATH.name
DECISIONS = (DECISION, REFORMULATE.name, ROUTE.name)
"""Decisions of trainable planners: the VQA planner's, and CogPlanner's two."""
LETTERS: tuple[str, ...] = OPTIONS


@dataclass(frozen=True)
class PlannerPrompt:
    """Messages before the reply, with a placeholder for the picture, and the hash of the prompt file."""

    messages: list[BaseMessage]
    hash: str


def planner_prompt(question: str) -> PlannerPrompt:
    """Return the prompt for a question with a picture. Reads the disk on first use."""
    inputs = ChoosePathInputs(question=question, has_picture=True)
    rendered = render(DECISION, inputs)
    return PlannerPrompt(_messages(rendered, reply_form(CHOOSE_PATH, inputs)), rendered.hash)


def current_hash(decision: str) -> str:
    """Return the current hash of the prompt file of a decision."""
    return load_prompt(decision).file.hash


def _messages(rendered: Rendered, form: ReplyForm) -> list[BaseMessage]:
    return Conversation(rendered, form, _stand_in()).messages("schema", with_pictures=True)


def _stand_in() -> list[ShownPicture]:
    """Return a placeholder picture: the words around a picture depend only on its label."""
    from PIL import Image

    packed = io.BytesIO()
    Image.new("RGB", (1, 1)).save(packed, "PNG")
    shown, _ = shown_pictures([PictureAttachment(packed.getvalue(), "image/png", PICTURE_LABEL)])
    return shown
