"""Meter of one decision: counts its cost, failed requests included, and enforces its allowance."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from backtrail.state.budget import UNBOUNDED, Allowance
from backtrail.state.usage import Charge, charge
from backtrail.tools.deciders.errors import PriceUnknown
from backtrail.tools.deciders.prices import LIST_PRICES, Price, known_price, price
from backtrail.tools.deciders.protocol import BudgetExhausted
from backtrail.tools.deciders.requests.reply import Reply, estimated_tokens

LEAST_REPLY = 16
"""Output tokens below which no decision's JSON fits, so that the call would be wasted (ours)."""


class CallMeter:
    """Counts calls, tokens, dollars and seconds, notes inexact figures, and enforces the allowance.

    Args:
        model: the model's name in the price table.
        decider: name shown in errors; by default the model's.

    Raises:
        PriceUnknown: the allowance bounds dollars and the model has no price.
    """

    def __init__(
        self,
        model: str,
        prices: Mapping[str, Price] = LIST_PRICES,
        clock: Callable[[], float] = time.monotonic,
        *,
        allowance: Allowance = UNBOUNDED,
        decider: str = "",
    ) -> None:
        self.notes: list[str] = []
        self._model = model
        self._decider = decider or model
        self._allowance = allowance
        self._price = known_price(model, prices)
        if allowance.usd is not None and self._price is None:
            raise PriceUnknown(model)
        self._prices = prices
        self._clock = clock
        self._began = clock()
        self._calls = self._input = self._output = self._cached = self._reasoning = 0
        self._usd = 0.0

    def admit(self, expected_input: int, wait: float = 0.0) -> int | None:
        """Admit the next call and return the most output tokens that it may write (None: any number).

        Input tokens are estimated, so ceilings of input tokens and dollars can be exceeded by the error of one
        estimate.

        Args:
            expected_input: estimated tokens of the request.
            wait: seconds before the request is sent.

        Raises:
            BudgetExhausted: the call does not fit the rest of the allowance.
        """
        may, room = self._allowance, self.output_left(expected_input)
        if may.calls is not None and self._calls >= may.calls:
            raise self.exhausted("calls", f"{may.calls} calls were left for this decision and all were made")
        if may.seconds is not None and self.elapsed() + wait >= may.seconds:
            raise self.exhausted("seconds", f"of {may.seconds:.1f} s left, too little remains for another call")
        if may.input_tokens is not None and self._input + expected_input > may.input_tokens:
            left = may.input_tokens - self._input
            raise self.exhausted("input_tokens", f"about {expected_input} input tokens are needed, {left} are left")
        if may.output_tokens is not None and may.output_tokens - self._output < LEAST_REPLY:
            left = may.output_tokens - self._output
            raise self.exhausted("output_tokens", f"{left} output tokens are left")
        if room is not None and room < LEAST_REPLY:
            left_usd = (may.usd or 0.0) - self._usd
            raise self.exhausted("usd", f"${left_usd:.6f} are left, too little for about {expected_input} input tokens")
        return room

    def output_left(self, expected_input: int) -> int | None:
        """Return the output tokens that fit their ceiling and the dollars after the input; None: any number."""
        rooms: list[int] = []
        if self._allowance.output_tokens is not None:
            rooms.append(self._allowance.output_tokens - self._output)
        if self._allowance.usd is not None and self._price is not None:
            left = self._allowance.usd - self._usd - expected_input * self._price.input / 1_000_000
            if self._price.output > 0:
                rooms.append(int(left / self._price.output * 1_000_000))
            elif left < 0:
                rooms.append(0)
        return min(rooms, default=None)

    def is_spent(self) -> bool:
        """Whether the allowance admits no further call."""
        try:
            self.admit(0)
        except BudgetExhausted:
            return True
        return False

    def exhausted(self, ceiling: str, problem: str) -> BudgetExhausted:
        """Return the error that ends a decision at a ceiling, with its charge."""
        return BudgetExhausted(self._decider, ceiling, problem, self.charge())

    def elapsed(self) -> float:
        """Seconds since the decision began."""
        return self._clock() - self._began

    def sent(self) -> None:
        """Count a sent request."""
        self._calls += 1

    def received(self, reply: Reply, estimated_input: int) -> int:
        """Count a reply and return its tokens, estimated if the server reports none."""
        read, written = reply.input_tokens, reply.output_tokens
        if read is None or written is None:
            self.note("tokens are estimated: the server reported no usage")
            read = estimated_input if read is None else read
            written = estimated_tokens(reply.text) if written is None else written
        self._input += read
        self._output += written
        self._cached += reply.cached_tokens
        self._reasoning += reply.reasoning_tokens
        usd = price(self._model, read, written, reply.cached_tokens, self._prices, written_tokens=reply.written_tokens)
        if usd is None:
            self.note(f"cost is not counted: no price is known for {self._model!r} (add it to prices.toml)")
        self._usd += usd or 0.0
        return read + written

    def note(self, text: str) -> None:
        """Add a note for the caller, unless it was added before."""
        if text not in self.notes:
            self.notes.append(text)

    def charge(self) -> Charge:
        """Return the total charge; seconds are the caller's waiting time, pauses included."""
        return charge(
            calls=self._calls,
            input_tokens=self._input,
            output_tokens=self._output,
            cached_tokens=self._cached,
            reasoning_tokens=self._reasoning,
            cost_usd=self._usd,
            stage="model",
            seconds=self.elapsed(),
        )
