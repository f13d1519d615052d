"""Generate from the cached prefix of one or several prompts."""

from __future__ import annotations

import inspect
from typing import Any

from backtrail.tools.embedders.torch_local import import_local
from backtrail.tools.local.prefix_cache import (
    WORTH,
    CachedPrefix,
    Prefixes,
    common_length,
    computed,
    filled_cache,
    has_windows,
)


def generate_from_prefix(model: Any, inputs: Any, prefixes: Prefixes, plainly: dict[str, Any]) -> list[int]:
    """Generate for every row, and cache the computations for its prompt.

    Args:
        inputs: token ids and attention mask [rows, longest prompt], padded on the left.
        plainly: further arguments of the model's ``generate``.

    Returns:
        For each row, the number of prompt tokens computed before (for another prompt, or the first row).
    """
    torch = import_local("torch")
    prompts = [
        ids[mask.bool()].tolist() for ids, mask in zip(inputs["input_ids"], inputs["attention_mask"], strict=True)
    ]
    shortest = min(len(prompt) for prompt in prompts) - 1  # at least one token per row has to be computed
    common = min((common_length(prompts[0], prompt) for prompt in prompts[1:]), default=shortest)
    common = min(common, shortest)
    if len(prompts) > 1 and has_windows(model):
        common = 0  # an attention window would include the padding after the shared prefix
    held = prefixes.longest(prompts[0][:common])
    known = [len(held.tokens) if held else 0] * len(prompts)
    if len(prompts) > 1 and common - known[0] >= WORTH:
        held = _beginning(model, prompts[0][:common], held)
        known = [known[0], *([common] * (len(prompts) - 1))]
    cache = filled_cache(held, len(prompts))
    ids, mask = _laid_out(prompts, len(held.tokens) if held else 0, inputs)
    made = model.generate(input_ids=ids, attention_mask=mask, **{_cache_argument(model): cache}, **plainly)
    if len(prompts) == 1:  # with its reply, as a correction repeats both
        whole = made[0].tolist()[: cache.get_seq_length()]
        prefixes.keep(computed(cache, 0, slice(0, len(whole)), whole))
        return known
    for row, prompt in enumerate(prompts):
        prefixes.keep(computed(cache, row, torch.nonzero(mask[row]).flatten(), prompt))
    return known


def _beginning(model: Any, tokens: list[int], held: CachedPrefix | None) -> CachedPrefix:
    """Compute the shared prefix of several prompts for one row."""
    torch = import_local("torch")
    start, cache = len(held.tokens) if held else 0, filled_cache(held, 1)
    # Without the scores, which for a large vocabulary take more memory than everything else.
    ids = torch.tensor([tokens[start:]], device=model.device)
    model.base_model(input_ids=ids, use_cache=True, **{_cache_argument(model): cache})
    return computed(cache, 0, slice(0, len(tokens)), tokens)


def _cache_argument(model: Any) -> str:
    """Name of the model's cache argument, which transformers renamed in 5.24."""
    return "cache" if "cache" in inspect.signature(model.base_model.forward).parameters else "past_key_values"


def _laid_out(prompts: list[list[int]], start: int, inputs: Any) -> tuple[Any, Any]:
    """Return token ids and attention mask with the padding after the shared prefix, whose positions are cached."""
    torch = import_local("torch")
    ids, mask = inputs["input_ids"].clone(), inputs["attention_mask"].clone()
    for row, prompt in enumerate(prompts):
        padding = ids.shape[1] - len(prompt)
        ids[row] = torch.tensor([*prompt[:start], *ids[row, :padding].tolist(), *prompt[start:]], device=ids.device)
        mask[row] = 1
        mask[row, start : start + padding] = 0
    return ids, mask
