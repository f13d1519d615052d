"""Decider of one-letter decisions by a local model's probabilities of the letters."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TypeVar

from pydantic import BaseModel

from backtrail.prompts.render import render
from backtrail.state.budget import UNBOUNDED, Allowance
from backtrail.state.decision import Decision
from backtrail.tools.deciders.letter_field import letter_field
from backtrail.tools.deciders.pictures import shown_pictures
from backtrail.tools.deciders.protocol import Decided, DecisionFailed, PictureAttachment
from backtrail.tools.deciders.requests.messages import Conversation
from backtrail.tools.deciders.requests.reply import Reply, estimated_input
from backtrail.tools.deciders.requests.reply_schema import reply_form
from backtrail.tools.local.chat import LocalChatModel
from backtrail.tools.local.letters import LetterChoice, choose_letter
from backtrail.tools.local.one_call import one_call

I = TypeVar("I", bound=BaseModel)
O = TypeVar("O", bound=BaseModel)

_FAINT = 0.5  # total probability of the letters below which a note says that the model preferred other tokens (ours)


class LetterDecider:
    """Takes one-letter decisions: the most likely letter that the decision's check accepts.

    The model gets exactly the decision's prompt, as in a planner's training. The probabilities go into the
    notes, and into the output if it has a field for them.
    """

    def __init__(self, name: str, model: LocalChatModel, timeout: float) -> None:
        self.name = name
        self._model = model
        self._timeout = timeout

    async def decide(
        self,
        decision: Decision[I, O],
        inputs: I,
        pictures: Sequence[PictureAttachment] = (),
        *,
        allowance: Allowance = UNBOUNDED,
    ) -> Decided[O]:
        """Take one decision; its output must have a ``letter_field``.

        Raises:
            DecisionFailed: the check accepts no letter.
            BudgetExhausted, ModelUnavailable: the budget or the time-out was exceeded.
            RequestUnsuitable, CheckpointUnsupported: the model does not accept the request.
        """
        field = letter_field(decision.output)
        if field is None:
            raise TypeError(f"{decision.output.__name__} is not a one-letter output")
        rendered = await asyncio.to_thread(render, decision.name, inputs)
        sees = self._model.engine.loaded.sees
        shown, notes = await asyncio.to_thread(shown_pictures, pictures if sees else ())
        if pictures and not sees:
            notes.append(f"pictures were left out: {self.name} takes none")
        messages = Conversation(rendered, reply_form(decision, inputs), shown).messages("schema", with_pictures=True)
        expected = estimated_input(messages)
        async with one_call(self.name, expected=expected, timeout=self._timeout, allowance=allowance) as meter:
            choice = await choose_letter(self._model, messages, field.letters)
        meter.received(Reply("", input_tokens=choice.input_tokens, output_tokens=choice.output_tokens), expected)
        notes += _notes(choice)
        refused = ""
        for letter in sorted(field.letters, key=lambda one: -choice.probabilities[one]):
            output = decision.output.model_validate(field.values(letter, choice.probabilities))
            problems = decision.check(inputs, output)
            if not problems:
                return Decided(output, meter.charge(), self.name, tuple(notes))
            refused = refused or " ".join(problems)
            notes.append(f"the letter {letter} was refused: {' '.join(problems)}")
        raise DecisionFailed(decision.name, self.name, refused, meter.charge())


def _notes(choice: LetterChoice) -> list[str]:
    shares = ", ".join(f"{letter} {share:.3f}" for letter, share in choice.probabilities.items())
    notes = [f"probabilities of the letters: {shares}"]
    if choice.total_probability < _FAINT:
        notes.append(f"the letters together have {choice.total_probability:.3f} of the next token's probability")
    return notes
