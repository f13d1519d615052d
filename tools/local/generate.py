"""One generation for several requests: tokenize, run the model, set each request's answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from backtrail.tools.embedders.torch_local import import_local
from backtrail.tools.local.errors import RequestUnsuitable
from backtrail.tools.local.generate_from_cache import generate_from_prefix
from backtrail.tools.local.grammar import Grammar
from backtrail.tools.local.load import LoadedModel
from backtrail.tools.local.prefix_cache import Prefixes
from backtrail.tools.local.request import Request
from backtrail.tools.local.sampling import Row, steering

# Errors of processors and models for unexpected requests or checkpoints.
_FAULTS = (ValueError, TypeError, IndexError, KeyError, AttributeError, RuntimeError)


def generate(
    loaded: LoadedModel, requests: Sequence[Request], tokens: Any | None, prefixes: Prefixes | None = None
) -> None:
    """Answer requests that fit into one batch: all with pictures, or all without.

    Args:
        tokens: from ``grammar_tokens``; needed only if a request has a schema.
        prefixes: cache of computed prefixes, read and extended; None computes everything.

    Raises:
        RequestUnsuitable: too long for the model or its memory, or not accepted by the processor.
    """
    torch = import_local("torch")
    rows = [_row(loaded, request, tokens) for request in requests]
    try:
        inputs = _inputs(loaded, requests).to(loaded.device)
        lengths = [int(length) for length in inputs["attention_mask"].sum(dim=1)]
        most = _room(loaded, requests, lengths)
        for name, value in inputs.items():
            if torch.is_tensor(value) and value.is_floating_point():
                inputs[name] = value.to(loaded.model.dtype)
        plainly = {"max_new_tokens": most, "do_sample": False, **steering(rows)}
        with torch.inference_mode():
            if prefixes is None or any(request.prompt.pictures for request in requests):
                known = [0] * len(rows)
                loaded.model.generate(**inputs, **plainly)
            else:
                known = generate_from_prefix(loaded.model, inputs, prefixes, plainly)
    except torch.OutOfMemoryError as error:
        raise RequestUnsuitable(
            "The memory of the device is too small for this request. Use fewer or smaller pictures, "
            "a smaller k, BACKTRAIL_LOCAL_BATCH=1 or BACKTRAIL_LOCAL_PREFIX=0."
        ) from error
    except RequestUnsuitable:  # has its own message
        raise
    except _FAULTS as error:
        raise RequestUnsuitable(
            f"The model in {str(loaded.checkpoint.folder)!r} failed at this request ({type(error).__name__}: {error}). "
            "If it fails at every request, its files do not fit together: copy the whole checkpoint again."
        ) from error
    for row, request, length, seen in zip(rows, requests, lengths, known, strict=True):
        answered = row.answered(length, seen)
        if row.failure is not None:
            request.answer.set_exception(row.failure)
        else:
            request.answer.set_result(answered)


def _row(loaded: LoadedModel, request: Request, tokens: Any | None) -> Row:
    schema = request.options.schema
    grammar = None if schema is None else Grammar(tokens, schema)
    return Row(request, loaded.tokenizer, loaded.ends, grammar)


def _inputs(loaded: LoadedModel, requests: Sequence[Request]) -> Any:
    """Return token ids [requests, longest prompt], padded on the left, and the pictures in the model's form."""
    texts = [request.prompt.text for request in requests]
    pictures = [request.prompt.pictures for request in requests]
    # Padding and special tokens must be the same for the whole batch; see Batcher.
    options: dict[str, Any] = {"return_tensors": "pt", "padding": True}
    if requests[0].prompt.whole:
        options["add_special_tokens"] = False
    if not loaded.sees:
        return loaded.tokenizer(texts, return_token_type_ids=False, **options)
    shown = [picture for some in pictures for picture in some] if loaded.only_captions else pictures
    return loaded.processor(text=texts, images=shown if any(pictures) else None, **options)


def _room(loaded: LoadedModel, requests: Sequence[Request], lengths: list[int]) -> int:
    """Return the maximum of new tokens of the batch."""
    longest, most = max(lengths), max(request.options.max_tokens for request in requests)
    if loaded.longest is None or loaded.model.config.is_encoder_decoder:
        return most
    if longest >= loaded.longest:
        raise RequestUnsuitable(
            f"The prompt has {longest:,} tokens; the model in {str(loaded.checkpoint.folder)!r} accepts "
            f"{loaded.longest:,}. Use a smaller k, a smaller shortlist or fewer pictures."
        )
    return min(most, loaded.longest - longest)
