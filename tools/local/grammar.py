"""Constrain a reply to a JSON schema, token by token, with llguidance if installed (extra ``local``)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any

from backtrail.tools.embedders.torch_local import import_local
from backtrail.tools.local.errors import RequestUnsuitable

_ANY_OBJECT: Mapping[str, Any] = {"type": "object"}
# At most one space between parts, so that a model cannot write blanks forever. Constraints that the grammar does not
# support are left to validation.
_LAYOUT = {"whitespace_pattern": "[ ]?", "lenient": True}


def can_constrain(tokenizer: Any) -> bool:
    """Whether replies of a model with this tokenizer can be constrained to a schema."""
    return find_spec("llguidance") is not None and bool(getattr(tokenizer, "is_fast", False))


def grammar_tokens(tokenizer: Any, vocabulary: int, ends: frozenset[int]) -> Any:
    """Convert the tokenizer for grammars, which takes up to a second: done once per model.

    Args:
        vocabulary: width of the model's scores, which may be larger than the tokenizer's vocabulary. If it is
            smaller (the tokenizer of a GGUF file gets tokens of its class), the last tokens have no score.
    """
    width = max(vocabulary, len(tokenizer))
    return import_local("llguidance.hf").from_tokenizer(tokenizer, n_vocab=width, eos_token=sorted(ends) or None)


class Grammar:
    """Matcher of one reply against its schema.

    Args:
        tokens: from ``grammar_tokens``.
        schema: the JSON schema; None allows any JSON object.

    Raises:
        RequestUnsuitable: the schema cannot be enforced.
    """

    def __init__(self, tokens: Any, schema: Mapping[str, Any] | None) -> None:
        matchers = import_local("llguidance").LLMatcher
        text = matchers.grammar_from_json_schema(json.dumps(schema or _ANY_OBJECT), defaults=_LAYOUT)
        self._matcher = matchers(tokens, text, log_level=0)
        self._raise_error()

    def allow(self, scores: Any) -> None:
        """Set the scores [vocabulary] of all tokens that are not allowed next to minus infinity."""
        numpy, torch = import_local("numpy"), import_local("torch")
        bits = numpy.frombuffer(self._matcher.compute_bitmask(), dtype=numpy.uint8)
        self._raise_error()
        allowed = torch.from_numpy(numpy.unpackbits(bits, bitorder="little").astype(bool))[: scores.shape[0]]
        scores[: len(allowed)].masked_fill_(~allowed.to(scores.device), float("-inf"))
        scores[len(allowed) :] = float("-inf")

    def take(self, token: int) -> bool:
        """Consume a token; return True when the object is complete."""
        self._matcher.consume_token(token)
        self._raise_error()
        return bool(self._matcher.is_stopped())

    def _raise_error(self) -> None:
        if self._matcher.is_error():
            raise RequestUnsuitable(f"The JSON schema cannot be enforced: {self._matcher.get_error()[:300]}")
