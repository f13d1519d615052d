"""Validation of a caller's question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from langchain_core.messages import BaseMessage, convert_to_messages

from backtrail.state.chat.picture_blocks import blocks_of, pictures_of, problem_of
from backtrail.state.errors import InputRefused
from backtrail.state.limits import Limits, check_size, limits
from backtrail.state.text.whitespace import bound_whitespace

LOOK = "What does this picture show?"
"""Question of a picture without words."""

EMPTY = "The question is empty. Ask something in words."
NO_QUESTION = "There is no question. Send 'question', or 'messages' that end with a human message that has words."

_SHORTER = "Shorten it, or ingest the material as a corpus and ask about that."
_NEW_THREAD = "Begin a new thread, or send fewer or smaller pictures."


def check_input(asked: Any) -> None:
    """Refuse input without a question or beyond the limits. Linear in its size.

    Args:
        asked: 'question' or 'messages', and fields that a method takes beside them.

    Raises:
        InputRefused: states what is missing or too long, the limit, and what to do.
    """
    if not isinstance(asked, Mapping):
        raise InputRefused(f"The input must be an object with 'question' or 'messages', not {type(asked).__name__}.")
    _check(cast("Mapping[str, Any]", asked), limits())


def _check(asked: Mapping[str, Any], most: Limits) -> None:
    question, messages = asked.get("question"), asked.get("messages")
    if question is not None and not isinstance(question, str):
        raise InputRefused(f"'question' must be a text, not {type(question).__name__}.")
    check_question(question or "", most)
    rest = {key: value for key, value in asked.items() if key not in ("question", "messages")}
    check_size(rest, most.context, "What was sent beside the question", "Send 'question' or 'messages', and 'image'.")
    conversation = read_messages(messages, most) if messages else []
    image = bool(asked.get("image"))
    wanted = question_in(question, conversation, image)
    begun = len(conversation) > 1 or image or (bool(conversation) and bool(pictures_of(conversation[-1])))
    if not wanted or not (begun or any(map(str.isalnum, wanted))):  # "?" is a question only in a conversation
        raise InputRefused(NO_QUESTION if question is None else EMPTY)


def check_question(question: str, most: Limits | None = None) -> None:
    """Refuse a question that is too long."""
    longest = (most or limits()).question
    if len(question) > longest:
        raise InputRefused(
            f"The question is {len(question):,} characters long; at most {longest:,} are read. {_SHORTER}"
        )


def check_conversation(messages: Sequence[BaseMessage], most: Limits | None = None) -> None:
    """Refuse a conversation with too many or too long messages; a last one by a human is a question."""
    most = most or limits()
    if len(messages) > most.messages:
        raise InputRefused(
            f"The conversation has {len(messages):,} messages; at most {most.messages:,} are kept. {_NEW_THREAD}"
        )
    is_question = bool(messages) and messages[-1].type == "human"
    if is_question:
        check_question(str(messages[-1].text).strip(), most)
    for message in messages[: -1 if is_question else None]:
        if len(str(message.text)) > most.message:
            raise InputRefused(
                f"A message of the conversation has {len(str(message.text)):,} characters of text; "
                f"at most {most.message:,} are read. {_SHORTER}"
            )


def question_in(question: str | None, messages: Sequence[BaseMessage], image: bool = False) -> str:
    """Return the question of a turn, stripped and with bounded white space, or an empty text.

    Answers close a turn with an AI message, so a human message at the end is a new one from a chat front end; otherwise
    the caller used the question field. A picture without words has a question too.

    Args:
        image: whether a picture came beside the question.
    """
    is_message = bool(messages) and messages[-1].type == "human"
    text = bound_whitespace((str(messages[-1].text) if is_message else question or "").strip())
    shown = pictures_of(messages[-1]) if is_message else image
    return text or (LOOK if shown else "")


def read_messages(sent: Any, most: Limits | None = None) -> list[BaseMessage]:
    """Convert messages from any of LangChain's forms and check them against the limits.

    Raises:
        InputRefused: a limit is passed, or something is no message.
    """
    most = most or limits()
    several: list[Any] = list(cast("Sequence[Any]", sent)) if isinstance(sent, (list, tuple)) else [sent]
    if len(several) > most.messages:
        raise InputRefused(
            f"{len(several):,} messages were sent; a conversation has at most {most.messages:,}. {_NEW_THREAD}"
        )
    for message in several:
        check_size(message, most.message_size, "A message, with its pictures,", "Send fewer or smaller pictures.")
    check_size(several, most.conversation_size, "The conversation, with its pictures,", _NEW_THREAD)
    try:
        messages = convert_to_messages(several)
    except (ValueError, NotImplementedError, KeyError, TypeError) as error:
        raise InputRefused(
            f'\'messages\' cannot be read ({str(error)[:200]}). A message is {{"role": "user", "content": "…"}}.'
        ) from error
    for message in messages:
        check_blocks(message)
    check_conversation(messages, most)
    return messages


def check_blocks(message: BaseMessage) -> None:
    """Refuse a message with content that is not read.

    Raises:
        InputRefused: a file, a picture without content or with an unknown id, a block of an unknown type.
    """
    for block in blocks_of(message.content):
        if problem := problem_of(block, by_human=message.type == "human"):
            raise InputRefused(problem)
