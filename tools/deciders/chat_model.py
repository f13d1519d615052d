"""Chat model as a decider: render the prompt, request JSON in several ways, validate the reply.

Native JSON schema → tool call → JSON mode → plain text with repair → ask again with the problem (at most twice)
→ DecisionFailed. The process stops using the first three once a server has rejected them. Every reply is
validated, because some servers accept a schema and ignore it.

Every call and retry is charged. The meter checks the decision's allowance before each: a call that does not fit is
not made, a reply is capped at the output tokens left (if the server accepts a cap), and work still running at the
time limit is cancelled.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping, Sequence
from typing import Any, TypeVar

from langchain_core.language_models import BaseChatModel
from pydantic import BaseModel

from backtrail.prompts.render import render
from backtrail.state.budget import UNBOUNDED, Allowance
from backtrail.state.decision import Decision
from backtrail.tools.deciders.call_meter import CallMeter
from backtrail.tools.deciders.capabilities import Abilities, Capabilities, Effort, RequestOptions, learnt_capabilities
from backtrail.tools.deciders.letter_field import letter_field
from backtrail.tools.deciders.letter_probabilities import with_probabilities
from backtrail.tools.deciders.parse_output import Read, read_output
from backtrail.tools.deciders.pictures import shown_pictures
from backtrail.tools.deciders.prices import LIST_PRICES, Price
from backtrail.tools.deciders.protocol import CUT_OFF, Decided, DecisionFailed, PictureAttachment
from backtrail.tools.deciders.request_options import PLAIN_WIRE, Wire
from backtrail.tools.deciders.requests.backoff import Backoff
from backtrail.tools.deciders.requests.classify_error import RequestTrouble
from backtrail.tools.deciders.requests.letter_scores import MOST
from backtrail.tools.deciders.requests.messages import Conversation
from backtrail.tools.deciders.requests.rate_limit import Limits, limiter_for
from backtrail.tools.deciders.requests.repair_json import is_json_object
from backtrail.tools.deciders.requests.reply import Reply, estimated_input
from backtrail.tools.deciders.requests.reply_schema import reply_form
from backtrail.tools.deciders.requests.stream_replies import hearer
from backtrail.tools.deciders.requests.transport import Request, Transport
from backtrail.tools.errors import ModelError, ModelRejected

I = TypeVar("I", bound=BaseModel)
O = TypeVar("O", bound=BaseModel)
T = TypeVar("T")

ASK_AGAIN = 2
_CUT_OFF = "It was cut off at the length limit. Keep every text in it short."
_ABOUT_THE_MESSAGES = (None, 400, 413, 422)  # not about the key, the account or the model's name
_LEAST_ROOM = 4096  # tokens given to the next reply after one was cut off


class ChatModelDecider:
    """Takes decisions with a LangChain chat model.

    Args:
        model: any LangChain chat model that supports or ignores OpenAI's call options.
        name: name in records and errors; distinguishes models and servers ("openai:gpt-5-mini").
        capabilities: declared capabilities of the model.
        transport: retries, time-out and rate limit; by default those of ``Backoff`` and ``Limits``.
        server: key of this model's server, if the name does not identify it; by default the name.
        priced_as: name in the price table, by default the part of ``name`` after the provider.
        prices: the price table.
        wire: names of the client's call options.
        effort: reasoning effort, if the model accepts one; None uses the model's default.
        seed: makes sampling repeatable, if the server supports it; None samples freely.
    """

    def __init__(
        self,
        model: BaseChatModel,
        name: str,
        capabilities: Capabilities | None = None,
        *,
        transport: Transport | None = None,
        server: str | None = None,
        priced_as: str | None = None,
        prices: Mapping[str, Price] = LIST_PRICES,
        wire: Wire = PLAIN_WIRE,
        effort: Effort | None = None,
        seed: int | None = None,
    ) -> None:
        self.name = name
        self._model = model
        self._learnt = learnt_capabilities(server or name, capabilities or Capabilities())
        self._transport = transport or Transport(limiter_for(server or name, Limits()), Backoff(), timeout=120.0)
        self._priced_as = priced_as or name.partition(":")[2] or name
        self._prices = prices
        self._wire = wire
        self._effort: Effort | None = effort
        self._seed = seed

    def __repr__(self) -> str:
        return f"ChatModelDecider({self.name!r})"

    @property
    def abilities(self) -> Abilities:
        """Abilities of the model as far as known: the declared ones, less those that the server refused."""
        learnt = self._learnt
        can = {
            "pictures": learnt.vision,
            "temperature": learnt.temperature is not None,
            "effort": learnt.effort and bool(self._wire.effort),
            "seed": learnt.seed and bool(self._wire.seed),
        }
        return Abilities(learnt.reply_format, can)

    async def decide(
        self,
        decision: Decision[I, O],
        inputs: I,
        pictures: Sequence[PictureAttachment] = (),
        *,
        allowance: Allowance = UNBOUNDED,
    ) -> Decided[O]:
        """Take one decision.

        Raises:
            DecisionFailed: no valid output after asking again twice; carries the charge.
            BudgetExhausted: the next call does not fit the allowance; carries the charge.
            ModelUnavailable, ModelRejected, ModelRefused: with the charge as ``charge``.
            PromptError: the decision's prompt does not match its inputs.
            PriceUnknown: the allowance bounds dollars and the model has no price.
        """
        rendered = await asyncio.to_thread(render, decision.name, inputs)
        shown, notes = await asyncio.to_thread(shown_pictures, pictures) if pictures else ([], [])
        may = self._learnt.capabilities
        form = reply_form(decision, inputs, bounds=may.bounds, reasons=may.reasons)
        conversation = Conversation(rendered, form, shown)
        meter = CallMeter(self._priced_as, self._prices, allowance=allowance, decider=self.name)
        for note in notes:
            meter.note(note)
        output, problem = await self._in_time(
            self._converse(decision, inputs, conversation, meter), allowance.seconds, meter
        )
        if output is None:
            raise DecisionFailed(decision.name, self.name, problem, meter.charge())
        return Decided(output, meter.charge(), self.name, tuple(meter.notes))

    async def _in_time(self, work: Coroutine[Any, Any, T], seconds: float | None, meter: CallMeter) -> T:
        """Await the work; cancel calls, rate-limit waits and retry pauses at the time limit."""
        limit = asyncio.timeout(seconds)
        try:
            async with limit:
                return await work
        except TimeoutError:
            if not limit.expired():
                raise
            raise meter.exhausted("seconds", f"the {seconds:.1f} s left were over before it had decided") from None

    async def _converse(
        self, decision: Decision[I, O], inputs: I, conversation: Conversation, meter: CallMeter
    ) -> tuple[O | None, str]:
        """Ask until a reply is valid or the attempts are used up; return the output, or the last problem."""
        room: int | None = None
        problem = ""
        for left in range(ASK_AGAIN, -1, -1):
            try:
                reply, asked = await self._ask(decision, conversation, meter, room)
            except ModelRejected as error:
                if not (conversation.corrections and error.status in _ABOUT_THE_MESSAGES):
                    raise  # the model cannot be used at all
                # The prompt fitted and the reply was invalid, but the correction does not fit: the decision failed.
                return None, f"{problem} It could not be asked again: {error}"
            if reply.refused:
                raise charged(RequestTrouble("refused", reply.refusal or "content filter").error(self.name), meter)
            # Repairing a cut-off reply loses the end of a list: only if no further call is possible.
            read: Read[O] = Read(None, _CUT_OFF)
            if not reply.cut_off or not left or meter.is_spent():
                read = await asyncio.to_thread(read_output, decision, inputs, reply.text)
            if read.output is not None:
                if reply.cut_off:
                    meter.note(CUT_OFF)
                return with_probabilities(decision, inputs, read.output, reply.places, meter), ""
            if reply.cut_off:
                room = max(_LEAST_ROOM, 2 * (reply.output_tokens or 0))
            elif reply.text and not asked.bare and not is_json_object(reply.text):
                self._learnt.formatting_was_ignored(asked)
            problem = read.problem
            conversation.ask_again(reply.text, problem)
        return None, problem

    async def _ask(
        self,
        decision: Decision[I, O],
        conversation: Conversation,
        meter: CallMeter,
        room: int | None,
    ) -> tuple[Reply, RequestOptions]:
        """Return one reply, trying less strict forms as long as the server rejects the request's form."""
        while True:
            learnt = self._learnt
            rung, pictures = learnt.reply_format, learnt.vision and bool(conversation.pictures)
            letters = letter_field(decision.output)
            # A planner trained on letters is prompted as in its training: without instructions about JSON.
            bare = letters is not None and learnt.capabilities.bare_letters and not conversation.corrections
            messages = conversation.messages("schema" if bare else rung, pictures)
            most = _least(room, meter.admit(estimated_input(messages)))
            heard_by = hearer() if learnt.streams else None
            asked = RequestOptions(
                reply_format=rung,
                pictures=pictures,
                temperature=learnt.temperature is not None,
                max_tokens=learnt.max_tokens and most is not None and bool(self._wire.room),
                effort=learnt.effort and self._effort is not None and bool(self._wire.effort),
                seed=learnt.seed and self._seed is not None and bool(self._wire.seed),
                streamed=heard_by is not None,
                logprobs=learnt.logprobs and letters is not None and letters.probabilities and heard_by is None,
                bare=bare,
            )
            if conversation.pictures and not asked.pictures:
                meter.note(f"pictures were left out: {self.name} takes none")
            options = {
                **({} if bare else self._wire.form(self._model, asked.reply_format, conversation.form)),
                **self._wire.options(
                    temperature=learnt.temperature,
                    room=most if asked.max_tokens else None,
                    seed=self._seed if asked.seed else None,
                    effort=self._effort if asked.effort else None,
                ),
                **({"logprobs": True, "top_logprobs": MOST} if asked.logprobs else {}),
            }
            request = Request(messages, options, decision.name, heard_by)
            outcome = await self._transport.send(self._model, request, meter)
            if isinstance(outcome, Reply):
                return outcome, asked
            unread = outcome.status is None and not asked.streamed
            about_form = outcome.kind == "rejected" and not unread and outcome.status not in (401, 402, 403)
            if not (about_form and learnt.adapt(outcome.message, asked)):
                raise charged(outcome.error(self.name), meter)


def _least(*ceilings: int | None) -> int | None:
    return min((ceiling for ceiling in ceilings if ceiling is not None), default=None)


def charged(error: ModelError, meter: CallMeter) -> ModelError:
    """Return the error with the meter's charge, so that the run's usage includes what was spent before it."""
    error.charge = meter.charge()
    return error
