"""Sampling of each row of a batch: constraint, temperature, seed, stop strings, limits.

transformers has one setting for a whole batch. Here it only takes the highest score, and each row changes
its scores first: with added Gumbel noise, the highest one is a sample from the softmax at the row's
temperature. So a row's reply does not depend on the other rows.
"""

from __future__ import annotations

import secrets
from typing import Any

from backtrail.tools.embedders.torch_local import import_local
from backtrail.tools.local.errors import RequestUnsuitable
from backtrail.tools.local.grammar import Grammar
from backtrail.tools.local.request import Finish, LocalReply, Request
from backtrail.tools.local.stream_text import TokenDecoder


class Row:
    """A request during generation."""

    def __init__(self, request: Request, tokenizer: Any, ends: frozenset[int], grammar: Grammar | None) -> None:
        asked = request.options
        self._request = request
        self._ends = ends
        self._grammar = grammar
        self._spoken = TokenDecoder(tokenizer, asked.stop)
        self._tokens = 0
        self._chosen: tuple[float, ...] = ()
        self._noise = None
        self.finish: Finish | None = None
        self.failure: RequestUnsuitable | None = None
        if asked.temperature > 0:
            self._noise = import_local("torch").Generator()
            self._noise.manual_seed(secrets.randbits(63) if asked.seed is None else asked.seed)

    def steer(self, scores: Any) -> None:
        """Change the scores [vocabulary] of the next token in place."""
        if self.finish is not None:
            return
        torch = import_local("torch")
        asked = self._request.options
        if asked.choices:
            probabilities = torch.softmax(scores, dim=-1)
            self._chosen = tuple(float(probabilities[token]) for token in asked.choices)
        if self._grammar is not None:
            try:
                self._grammar.allow(scores)
            except RequestUnsuitable as error:
                self._fail(error)
                return
        if self._noise is not None:
            # On the CPU, so that a seed gives the same sample on every device.
            drawn = torch.rand(scores.shape[0], generator=self._noise, dtype=torch.float64).clamp_(1e-300, 1 - 1e-16)
            scores.div_(asked.temperature).add_((-torch.log(-torch.log(drawn))).to(scores))

    def take(self, token: int) -> bool:
        """Take the next token; return True if the reply has ended."""
        if self.finish is None:
            try:
                self.finish = self._taken(token)
            except RequestUnsuitable as error:
                self._fail(error)
        return self.finish is not None

    def answered(self, input_tokens: int, cached_tokens: int = 0) -> LocalReply:
        """Return the reply."""
        self._say(self._spoken.end())
        finish = self.finish or "length"
        return LocalReply(self._spoken.text, finish, input_tokens, self._tokens, self._chosen, cached_tokens)

    def _fail(self, error: RequestUnsuitable) -> None:
        """End only this row; the others of its batch continue."""
        self.failure = error
        self.finish = "stop"

    def _taken(self, token: int) -> Finish | None:
        if self._request.cancelled.is_set():
            return "cancelled"
        self._tokens += 1
        self._request.started = True
        complete = self._grammar is not None and self._grammar.take(token)
        if token in self._ends:
            return "stop"
        self._say(self._spoken.hear(token))
        if complete or self._spoken.stopped:
            return "stop"
        return "length" if self._tokens >= self._request.options.max_tokens else None

    def _say(self, piece: str) -> None:
        if not piece or self._request.on_text is None:
            return
        try:
            self._request.on_text(piece)
        except RuntimeError:  # the listener's event loop is closed
            self._request.cancelled.set()


def steering(rows: list[Row]) -> dict[str, Any]:
    """Return the logits processor and stopping criterion by which rows control ``generate``."""
    generation, torch = import_local("transformers.generation"), import_local("torch")

    class Steer(generation.LogitsProcessor):
        def __call__(self, input_ids: Any, scores: Any) -> Any:
            for row, own in zip(rows, scores, strict=True):
                row.steer(own)
            return scores

    class Ended(generation.StoppingCriteria):
        def __call__(self, input_ids: Any, scores: Any, **_: Any) -> Any:
            ended = [row.take(token) for row, token in zip(rows, input_ids[:, -1].tolist(), strict=True)]
            return torch.tensor(ended, dtype=torch.bool, device=input_ids.device)

    return {
        "logits_processor": generation.LogitsProcessorList([Steer()]),
        "stopping_criteria": generation.StoppingCriteriaList([Ended()]),
    }
