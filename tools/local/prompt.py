"""Render messages for a local model by its chat template: one text, and the pictures.

Texts come from documents and the web. A control token in them (``<|im_end|>``, ``<image>``) would take
effect, so a space is inserted into each before the template adds the real ones.
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
    """One message: its role and parts in order; a picture's part is only a placeholder."""

    role: str
    parts: list[Part]

    @property
    def text(self) -> str:
        """The text parts, one per line."""
        return "\n".join(part["text"] for part in self.parts if part["type"] == "text")


@dataclass(frozen=True)
class Prompt:
    """The text to tokenize, and the pictures in order.

    Args:
        whole: whether the text already has its special tokens, so that none are added.
    """

    text: str
    pictures: list[Image]
    whole: bool


def read_turns(messages: Sequence[BaseMessage], loaded: LoadedModel) -> tuple[list[Turn], list[Image]]:
    """Return the turns of a conversation, and its decoded pictures.

    Raises:
        RequestUnsuitable: a picture for a text model, or one that cannot be decoded; a part that is
            neither text nor picture; a message of a tool.
    """
    controls = control_tokens(loaded)
    turns: list[Turn] = []
    pictures: list[Image] = []
    for message in convert_to_openai_messages(list(messages), text_format="block"):
        role = "system" if message["role"] == "developer" else str(message["role"])
        if role not in ("system", "user", "assistant") or message.get("tool_calls"):
            raise RequestUnsuitable(f"A local model does not support tools (message of the role {role!r}).")
        parts: list[Part] = []
        for part in message["content"] or []:
            if part.get("type") == "text":
                parts.append({"type": "text", "text": neutralise_control_tokens(str(part["text"]), controls)})
            elif part.get("type") == "image_url":
                if not loaded.sees:
                    raise RequestUnsuitable(f"The text model in {str(loaded.checkpoint.folder)!r} accepts no images.")
                pictures.append(decode_picture(_url(part)))
                parts.append({"type": "image"})
            else:
                raise RequestUnsuitable(f"A local model accepts text and pictures, not {part.get('type')!r}.")
        turns.append(Turn(role, parts))
    return turns, pictures


def make_prompt(loaded: LoadedModel, turns: Sequence[Turn], pictures: list[Image]) -> Prompt:
    """Render the prompt of a reply.

    Raises:
        RequestUnsuitable: the template does not support this conversation.
        CheckpointUnsupported: the template gives a wrong number of picture tokens.
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
    # Templates of text models include all special tokens; processors add those missing in theirs.
    return Prompt(text, pictures, whole=not loaded.sees or bool(bos and text.startswith(bos)))


def reply_opening(loaded: LoadedModel, turns: Sequence[Turn], prompt: Prompt, reply: str) -> str:
    """Return a short reply as written after the prompt, with white space: " A" is not the token "A"."""
    if loaded.template is None:
        return reply if prompt.text[-1:].isspace() or not prompt.text else f" {reply}"
    answered = [*turns, Turn("assistant", [{"type": "text", "text": reply}])]
    text = _rendered(loaded, answered, generation=False)
    rest = text[len(prompt.text) :] if text.startswith(prompt.text) else ""
    before, found, _ = rest.partition(reply)
    return before + reply if found and not before.strip() else reply


def control_tokens(loaded: LoadedModel) -> re.Pattern[str] | None:
    """Return a pattern of the model's special tokens; None if there are none."""
    tokens = {str(one.content) for one in loaded.tokenizer.added_tokens_decoder.values() if one.special}
    tokens |= set(loaded.tokenizer.all_special_tokens)
    tokens |= {token for token in (picture_token(loaded), getattr(loaded.processor, "video_token", None)) if token}
    written = sorted((token for token in tokens if len(token) > 2), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, written))) if written else None


def neutralise_control_tokens(text: str, controls: re.Pattern[str] | None) -> str:
    """Insert a space into every control token of a text."""
    if controls is None:
        return text
    return controls.sub(lambda found: f"{found.group()[0]} {found.group()[1:]}", text)


def picture_token(loaded: LoadedModel) -> str | None:
    """Return the placeholder token of pictures, if the processor has one."""
    token = getattr(loaded.processor, "image_token", None)
    return None if token is None else str(getattr(token, "content", token))


def _url(part: dict[str, Any]) -> str:
    url = part.get("image_url")
    return str(url.get("url", "")) if isinstance(url, dict) else str(url)


def _plain(loaded: LoadedModel, turns: Sequence[Turn], pictures: list[Image]) -> Prompt:
    """Return the plain text, for models that are not chat models."""
    if loaded.sees and len(pictures) != 1:
        raise RequestUnsuitable(
            f"The captioning model in {str(loaded.checkpoint.folder)!r} accepts one picture at a time, "
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
    try:  # some templates support no system message: prepend its text to the first message
        first = Turn(turns[1].role, [*turns[0].parts, *turns[1].parts])
        return _applied(loaded, [first, *turns[2:]], generation)
    except TemplateError as error:
        raise _unfit(loaded, error) from error


def _applied(loaded: LoadedModel, turns: Sequence[Turn], generation: bool) -> str:
    """Apply the template. Templates of text models expect texts, those of vision models lists of parts."""
    conversation = [{"role": turn.role, "content": turn.parts if loaded.sees else turn.text} for turn in turns]
    options: dict[str, Any] = {"add_generation_prompt": generation, "tokenize": False}
    template = loaded.template or ""
    if "enable_thinking" in template:
        options["enable_thinking"] = False  # replies are constrained or short
    return str(loaded.processor.apply_chat_template(conversation, chat_template=template, **options))


def _unfit(loaded: LoadedModel, error: Exception) -> RequestUnsuitable:
    return RequestUnsuitable(
        f"The chat template of {str(loaded.checkpoint.words)!r} does not support this conversation: {error}"
    )
