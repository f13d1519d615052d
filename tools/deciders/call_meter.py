"""Count the cost of one decision, failed requests included, and enforce its budget."""

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
"""Output tokens below which no decision's JSON fits, so that a call would be paid for in vain (ours)."""


class CallMeter:
    """Adds up calls, tokens, dollars and seconds, notes where a figure is not exact, and keeps to the allowance.

    Args:
        model: the model's name in the price table.
        decider: the name that errors show; by default the model's.

    Raises:
        PriceUnknown: dollars are bounded and the model has no price.
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
        """Let the next call pass, or not; returns the most output tokens it may write (None: any number).

        Input is judged by its estimate, so a ceiling of input tokens or dollars can be overrun by the error
        of one call's estimate.

        Args:
            expected_input: estimated tokens of the request.
            wait: seconds that will pass before it is sent.

        Raises:
            BudgetExhausted: it does not fit what is left.
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
        """Output tokens that fit, by their own ceiling and by the dollars left once the input is paid; None: any."""
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
        """Whether no further call can pass, however small."""
        try:
            self.admit(0)
        except BudgetExhausted:
            return True
        return False

    def exhausted(self, ceiling: str, problem: str) -> BudgetExhausted:
        """The error that ends a decision at a ceiling, with what was spent."""
        return BudgetExhausted(self._decider, ceiling, problem, self.charge())

    def elapsed(self) -> float:
        """Seconds since the decision began."""
        return self._clock() - self._began

    def sent(self) -> None:
        """A request went out."""
        self._calls += 1

    def received(self, reply: Reply, estimated_input: int) -> int:
        """A reply came in; returns the tokens it took, estimated where the server reports none."""
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
        """Remember something the caller should know, once."""
        if text not in self.notes:
            self.notes.append(text)

    def charge(self) -> Charge:
        """The sum; seconds are what the caller waited, pauses included."""
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
