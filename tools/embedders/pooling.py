"""Pool token vectors into one vector per text, like sentence-transformers' Pooling module."""

from __future__ import annotations

from typing import Any, Literal, get_args

from backtrail.tools.embedders.errors import EmbedderUnsupported

Pooling = Literal["mean", "cls", "max", "lasttoken"]

_FLAGS: dict[str, str] = {
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_cls_token": "cls",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_lasttoken": "lasttoken",
    "pooling_mode_mean_sqrt_len_tokens": "mean_sqrt_len_tokens",
    "pooling_mode_weightedmean_tokens": "weightedmean",
}


def pooling_mode(config: dict[str, Any]) -> Pooling:
    """Read the pooling of a Pooling config.json, given by flags or ``pooling_mode``.

    Raises EmbedderUnsupported for several modes, or one that is not implemented.
    """
    named = config.get("pooling_mode")
    modes = [named] if isinstance(named, str) else list(named or [])
    modes = modes or [mode for flag, mode in _FLAGS.items() if config.get(flag)]
    supported: tuple[Pooling, ...] = get_args(Pooling)
    for mode in supported:
        if modes == [mode]:
            return mode
    raise EmbedderUnsupported(f"The Pooling module needs {modes!r}; exactly one of {supported} is supported.")


def pool(hidden: Any, mask: Any, mode: Pooling) -> Any:
    """Pool hidden [batch, sequence, d], padded on the right, with mask [batch, sequence] to [batch, d]."""
    if mode == "cls":
        return hidden[:, 0]
    weights = mask.unsqueeze(-1).to(hidden.dtype)
    if mode == "mean":
        return (hidden * weights).sum(1) / weights.sum(1).clamp(min=1e-9)
    if mode == "max":
        return hidden.masked_fill(weights == 0, float("-inf")).amax(1)
    last = mask.sum(1).sub(1).clamp(min=0)
    return hidden.gather(1, last.view(-1, 1, 1).expand(-1, 1, hidden.shape[-1])).squeeze(1)
