"""Messages as a local model reads them: one text in the form of its chat template, and the pictures.

Texts come from documents and the web. A control token written in them (``<|im_end|>``, ``<image>``) would
be read as one, so a space is put into each before the template adds the real ones.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from langchain_core.messages import BaseMessage, convert_to_openai_messages

from backtrail.tools.local.data_url import decode_picture
from backtrail.tools.local.errors import CheckpointUnsupported, RequestUnsuitable
from backtrail.tools.local.load import LoadedModel

if TYPE_CHECKING:
    from PIL.Image import Image

Part = dict[str, str]


@dataclass(frozen=True)
class Turn:
    """One message: its author and its parts in order; a picture's part says only where it stands."""

    role: str
    parts: list[Part]

    @property
    def text(self) -> str:
        """The text parts, a line each."""
        return "\n".join(part["text"] for part in self.parts if part["type"] == "text")


@dataclass(frozen=True)
class Prompt:
    """What is tokenized, and the pictures in the order of their places.

    Args:
        whole: whether the text holds its special tokens already, so that none are added.
    """

    text: str
    pictures: list[Image]
    whole: bool


def read_turns(messages: Sequence[BaseMessage], loaded: LoadedModel) -> tuple[list[Turn], list[Image]]:
    """The turns of a conversation, and its pictures decoded.

    Raises:
        RequestUnsuitable: a picture for a model without eyes, or one that cannot be decoded; a part that is
            neither text nor picture; a message of a tool.
    """
    controls = control_tokens(loaded)
    turns: list[Turn] = []
    pictures: list[Image] = []
    for message in convert_to_openai_messages(list(messages), text_format="block"):
        role = "system" if message["role"] == "developer" else str(message["role"])
        if role not in ("system", "user", "assistant") or message.get("tool_calls"):
            raise RequestUnsuitable(f"A local model takes no messages of the kind {role!r} with tools.")
        parts: list[Part] = []
        for part in message["content"] or []:
            if part.get("type") == "text":
                parts.append({"type": "text", "text": disarmed(str(part["text"]), controls)})
            elif part.get("type") == "image_url":
                if not loaded.sees:
                    raise RequestUnsuitable(f"The text model in {str(loaded.checkpoint.folder)!r} takes no images.")
                pictures.append(decode_picture(_url(part)))
                parts.append({"type": "image"})
            else:
                raise RequestUnsuitable(f"A local model takes text and pictures, not {part.get('type')!r}.")
        turns.append(Turn(role, parts))
    return turns, pictures


def make_prompt(loaded: LoadedModel, turns: Sequence[Turn], pictures: list[Image]) -> Prompt:
    """The prompt that a reply follows.

    Raises:
        RequestUnsuitable: the template cannot put this conversation, or not these pictures, into its form.
    """
    if loaded.template is None:
        return _plain(loaded, turns, pictures)
    text = _rendered(loaded, turns, generation=True)
    token = picture_token(loaded)
    if pictures and token and text.count(token) != len(pictures):
        raise CheckpointUnsupported(
            f"The chat template of {str(loaded.checkpoint.words)!r} made {text.count(token)} places for "
            f"{len(pictures)} pictures. Use the template that the model was published with."
        )
    bos = loaded.tokenizer.bos_token
    # Templates of text models hold all their special tokens; processors add what theirs leave out.
    return Prompt(text, pictures, whole=not loaded.sees or bool(bos and text.startswith(bos)))


def reply_opening(loaded: LoadedModel, turns: Sequence[Turn], prompt: Prompt, reply: str) -> str:
    """How a short reply stands after the prompt, leading white space included: " A" is not the token "A"."""
    if loaded.template is None:
        return reply if prompt.text[-1:].isspace() or not prompt.text else f" {reply}"
    answered = [*turns, Turn("assistant", [{"type": "text", "text": reply}])]
    text = _rendered(loaded, answered, generation=False)
    rest = text[len(prompt.text) :] if text.startswith(prompt.text) else ""
    before, found, _ = rest.partition(reply)
    return before + reply if found and not before.strip() else reply


def control_tokens(loaded: LoadedModel) -> re.Pattern[str] | None:
    """The special tokens of a model as they would be written."""
    held = {str(one.content) for one in loaded.tokenizer.added_tokens_decoder.values() if one.special}
    held |= set(loaded.tokenizer.all_special_tokens)
    held |= {token for token in (picture_token(loaded), getattr(loaded.processor, "video_token", None)) if token}
    written = sorted((token for token in held if len(token) > 2), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, written))) if written else None


def disarmed(text: str, controls: re.Pattern[str] | None) -> str:
    """The text with a space inside whatever would be read as a control token."""
    if controls is None:
        return text
    return controls.sub(lambda found: f"{found.group()[0]} {found.group()[1:]}", text)


def picture_token(loaded: LoadedModel) -> str | None:
    """The token that stands for a picture in a prompt, if the processor has one."""
    token = getattr(loaded.processor, "image_token", None)
    return None if token is None else str(getattr(token, "content", token))


def _url(part: dict[str, Any]) -> str:
    held = part.get("image_url")
    return str(held.get("url", "")) if isinstance(held, dict) else str(held)


def _plain(loaded: LoadedModel, turns: Sequence[Turn], pictures: list[Image]) -> Prompt:
    """The words alone, for models that were never taught to converse."""
    if loaded.sees and len(pictures) != 1:
        raise RequestUnsuitable(
            f"The captioning model in {str(loaded.checkpoint.folder)!r} takes one picture at a time, "
            f"not {len(pictures)}."
        )
    return Prompt("\n\n".join(turn.text for turn in turns if turn.text), pictures, whole=False)


def _rendered(loaded: LoadedModel, turns: Sequence[Turn], *, generation: bool) -> str:
    from jinja2 import TemplateError

    try:
        return _applied(loaded, turns, generation)
    except TemplateError as error:
        if not turns or turns[0].role != "system" or len(turns) < 2:
            raise _unfit(loaded, error) from error
    try:  # some templates know no system message: its text then opens the first message
        first = Turn(turns[1].role, [*turns[0].parts, *turns[1].parts])
        return _applied(loaded, [first, *turns[2:]], generation)
    except TemplateError as error:
        raise _unfit(loaded, error) from error


def _applied(loaded: LoadedModel, turns: Sequence[Turn], generation: bool) -> str:
    """The template filled in. Templates of text models take texts, those of vision models lists of parts."""
    conversation = [{"role": turn.role, "content": turn.parts if loaded.sees else turn.text} for turn in turns]
    options: dict[str, Any] = {"add_generation_prompt": generation, "tokenize": False}
    template = loaded.template or ""
    if "enable_thinking" in template:
        options["enable_thinking"] = False  # replies are constrained or short: there is no room for thoughts
    return str(loaded.processor.apply_chat_template(conversation, chat_template=template, **options))


def _unfit(loaded: LoadedModel, error: Exception) -> RequestUnsuitable:
    return RequestUnsuitable(
        f"The chat template of {str(loaded.checkpoint.words)!r} does not take this conversation: {error}"
    )
