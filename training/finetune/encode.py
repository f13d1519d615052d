"""Encode rows for a model: tokens of the prompt as at run time, tokens of the reply, pictures.

The prompt is built by the functions of a planner's request, so that training and run time agree. The loss of a letter
is that of its token: −log P(c | q, T); of other replies that of all tokens and the end token.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from backtrail.tools.errors import BacktrailError
from backtrail.tools.local.errors import RequestUnsuitable
from backtrail.tools.local.letters import letter_tokens
from backtrail.tools.local.load import LoadedModel
from backtrail.tools.local.prompt import (
    Prompt,
    control_tokens,
    make_prompt,
    neutralise_control_tokens,
    read_turns,
    reply_opening,
)
from backtrail.training.errors import FinetuneError
from backtrail.training.finetune.rows import Sourced, conversation

NOT_COUNTED = -100


@dataclass(frozen=True)
class Encoded:
    """One encoded row.

    Args:
        inputs: inputs of the model with one row each; ``input_ids`` [1, prompt].
        reply: tokens of the reply.
        choices: token of each possible letter; empty for replies in words, all -1 where the row is too long.
        too_long: number of tokens of a row that exceeds the model's context, which is not trained on; else 0.
    """

    inputs: Mapping[str, torch.Tensor]
    reply: list[int]
    choices: list[int]
    too_long: int = 0

    @property
    def answer(self) -> int | None:
        """Index of the right letter among the choices."""
        return self.choices.index(self.reply[0]) if self.choices else None


def encode(loaded: LoadedModel, sourced: Sourced) -> Encoded:
    """Encode a row, decoding its pictures.

    A row that exceeds the model's context keeps its place in the batch without contributing to the loss.

    Raises:
        FinetuneError: a picture cannot be shown, or the model cannot take the row.
    """
    row = sourced.row
    try:
        messages, notes = conversation(sourced)
        if notes:
            raise RequestUnsuitable(f"{'; '.join(notes)}.")
        turns, pictures = read_turns(messages, loaded)
        prompt = make_prompt(loaded, turns, pictures)
        if row.letters:
            openings = [reply_opening(loaded, turns, prompt, letter) for letter in row.letters]
            prompt, choices = letter_tokens(loaded, prompt, openings)
            reply = [choices[row.letters.index(row.reply)]]
        else:
            choices = []
            text = neutralise_control_tokens(row.reply, control_tokens(loaded))
            reply = _reply_tokens(loaded, prompt, reply_opening(loaded, turns, prompt, text))
        inputs = _inputs(loaded, prompt)
    except (BacktrailError, OSError) as error:
        raise FinetuneError(f"The row {row.id!r} cannot be trained on: {error}") from error
    length = int(inputs["input_ids"].shape[1]) + len(reply)
    if loaded.longest is not None and length > loaded.longest:
        return Encoded(_nothing(loaded), [loaded.tokenizer.eos_token_id], [-1] * len(row.letters), too_long=length)
    return Encoded(inputs, reply, choices)


def collate(rows: Sequence[Encoded], pad: int) -> dict[str, torch.Tensor]:
    """Collate a batch, padded on the left so that all replies end together, as in generation.

    Besides the model's inputs: ``labels`` [rows, longest], only for the reply, and ``choices`` [rows, most letters].
    """
    longest = max(one.inputs["input_ids"].shape[1] + len(one.reply) for one in rows)
    batch: dict[str, torch.Tensor] = {}
    for name in dict.fromkeys(name for one in rows for name in one.inputs):
        having = [one for one in rows if name in one.inputs]
        if having[0].inputs[name].shape == having[0].inputs["input_ids"].shape:
            filling = pad if name == "input_ids" else 0
            batch[name] = torch.stack(
                [_padded(_tokens(name, one), _after(name, one), longest, filling) for one in rows]
            )
        else:  # pictures of all rows, concatenated
            batch[name] = torch.cat([one.inputs[name] for one in having])
    prompts = [torch.full((one.inputs["input_ids"].shape[1],), NOT_COUNTED) for one in rows]
    batch["labels"] = torch.stack(
        [_padded(before, _counted(one), longest, NOT_COUNTED) for before, one in zip(prompts, rows, strict=True)]
    )
    most = max(len(one.choices) for one in rows)
    batch["choices"] = torch.tensor([[*one.choices, *[-1] * (most - len(one.choices))] for one in rows])
    return batch


def _nothing(loaded: LoadedModel) -> dict[str, torch.Tensor]:
    """Return the shortest possible input, for a row that is left out."""
    end = torch.tensor([[loaded.tokenizer.eos_token_id]])
    return {"input_ids": end, "attention_mask": torch.ones_like(end)}


def _counted(one: Encoded) -> list[int]:
    return [NOT_COUNTED] * len(one.reply) if one.too_long else one.reply


def _tokens(name: str, one: Encoded) -> torch.Tensor:
    """Return a per-token input of the prompt; zeros where a row without pictures lacks it."""
    return one.inputs[name][0] if name in one.inputs else torch.zeros_like(one.inputs["input_ids"][0])


def _after(name: str, one: Encoded) -> list[int]:
    """Return the values of a per-token input for the reply: its tokens, attended, not pictures."""
    if name == "input_ids":
        return one.reply
    return [1 if name == "attention_mask" else 0] * len(one.reply)


def _padded(before: torch.Tensor, after: list[int], longest: int, filling: int) -> torch.Tensor:
    whole = torch.cat([before, torch.tensor(after, dtype=before.dtype)])
    return torch.cat([torch.full((longest - len(whole),), filling, dtype=before.dtype), whole])


def _reply_tokens(loaded: LoadedModel, prompt: Prompt, opening: str) -> list[int]:
    """Return the tokens of a reply after its prompt, with the end token."""
    start, whole = (list(loaded.tokenizer(text, add_special_tokens=False)["input_ids"]) for text in (
        prompt.text, prompt.text + opening,
    ))  # fmt: skip
    alone = list(loaded.tokenizer(opening, add_special_tokens=False)["input_ids"])
    reply = whole[len(start) :] if whole[: len(start)] == start else alone
    return [*reply, loaded.tokenizer.eos_token_id]


def _inputs(loaded: LoadedModel, prompt: Prompt) -> dict[str, torch.Tensor]:
    options: dict[str, Any] = {"return_tensors": "pt"}
    if prompt.whole:
        options["add_special_tokens"] = False
    if not loaded.sees:
        return dict(loaded.tokenizer([prompt.text], return_token_type_ids=False, **options))
    return dict(loaded.processor(text=[prompt.text], images=[prompt.pictures] if prompt.pictures else None, **options))
