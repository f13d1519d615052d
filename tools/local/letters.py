"""Probabilities of a few letters as the next token of a model.

Used for planners fine-tuned to answer with one option letter: one pass of the model, no sampling, and the whole
distribution instead of only the best letter.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from langchain_core.messages import BaseMessage

from backtrail.tools.local.chat import LocalChatModel, answer
from backtrail.tools.local.errors import CheckpointUnsupported
from backtrail.tools.local.load import LoadedModel
from backtrail.tools.local.prompt import Prompt, make_prompt, read_turns, reply_opening
from backtrail.tools.local.request import ReplyOptions, Request


@dataclass(frozen=True)
class LetterChoice:
    """Distribution over the letters.

    Args:
        probabilities: of each letter, normalised to 1.
        mass: total probability of the letters before that; near 0, the model preferred other tokens.
        input_tokens: tokens of the prompt, those of pictures included.
        output_tokens: tokens of the letter.
    """

    probabilities: dict[str, float]
    total_probability: float
    input_tokens: int
    output_tokens: int


async def choose_letter(model: LocalChatModel, messages: Sequence[BaseMessage], letters: Sequence[str]) -> LetterChoice:
    """Compute the probabilities of the letters as the beginning of the reply.

    Raises:
        RequestUnsuitable: the model does not accept these messages.
        CheckpointUnsupported: its tokenizer has no separate token for each letter.
    """
    request = await asyncio.to_thread(_request, model, messages, letters)
    answered = await answer(model.engine, request)
    mass = sum(answered.chosen)
    # If all letters are exactly zero (a score of minus infinity, or underflow), they are equally likely.
    shares = [one / mass if mass > 0 else 1 / len(letters) for one in answered.chosen]
    probabilities = dict(zip(letters, shares, strict=True))
    return LetterChoice(probabilities, mass, answered.input_tokens, answered.output_tokens)


def _request(model: LocalChatModel, messages: Sequence[BaseMessage], letters: Sequence[str]) -> Request:
    loaded = model.engine.loaded
    turns, pictures = read_turns(messages, loaded)
    prompt = make_prompt(loaded, turns, pictures)
    openings = [reply_opening(loaded, turns, prompt, letter) for letter in letters]
    prompt, tokens = letter_tokens(loaded, prompt, openings)
    return Request(prompt, ReplyOptions(max_tokens=1, choices=tokens))


def letter_tokens(loaded: LoadedModel, prompt: Prompt, openings: Sequence[str]) -> tuple[Prompt, list[int]]:
    """Return each letter's token in this position (" A" and "A" differ), and the prompt to use with them.

    Some tokenizers make the space before the letter a separate token, some merge it with the end of the
    prompt. So the prompt may gain or lose white space at its end.

    Raises:
        CheckpointUnsupported: no spelling gives each letter a separate token.
    """
    space = openings[0][: len(openings[0]) - len(openings[0].lstrip())]
    bare = prompt.text.rstrip()
    lost = prompt.text[len(bare) :]
    tails = [opening.lstrip() for opening in openings]
    ways = [
        (prompt.text, openings),
        (prompt.text + space, tails),
        (bare, [lost + opening for opening in openings]),
    ]
    for text, following in ways:
        start = _ids(loaded, text)
        written = [_ids(loaded, text + tail) for tail in following]
        if all(ids[: len(start)] == start and len(ids) > len(start) for ids in written):
            tokens = [ids[len(start)] for ids in written]
            if len(set(tokens)) == len(tokens):
                return Prompt(text, prompt.pictures, prompt.whole), tokens
    raise CheckpointUnsupported(
        f"The tokenizer of {str(loaded.checkpoint.words)!r} has no separate token for each of the letters {tails}."
    )


def _ids(loaded: LoadedModel, text: str) -> list[int]:
    return list(loaded.tokenizer(text, add_special_tokens=False)["input_ids"])
