"""Open embedders by name."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from backtrail.tools.embedders.errors import EmbedderUnknown
from backtrail.tools.embedders.precision import Precision
from backtrail.tools.embedders.protocol import Embedder, PageEmbedder, PixelEmbedder

if TYPE_CHECKING:
    from backtrail.tools.embedders.cross_modal import OpenImage

DEFAULT = "offline"
NAMES = (
    "offline or minilm (all-MiniLM-L6-v2 in int8, the default)",
    "minilm:fp32",
    "minilm:int8:PATH or minilm:fp32:PATH (a folder with the same files)",
    "folder:PATH (a sentence-transformers folder, needs backtrail[local])",
    "multilingual:PATH (the same for a multilingual model; multilingual:e5:PATH for the E5 family)",
    "openai:MODEL (OPENAI_API_KEY, OPENAI_BASE_URL)",
)
PIXEL_NAMES = ("cross-modal:PATH (a CLIP- or SigLIP-class folder, needs backtrail[local])",)
PAGE_NAMES = (
    "late-interaction:PATH (a ColPali- or ColQwen2-class folder, needs backtrail[local])",
    "cross-modal:PATH (one vector per page; a CLIP- or SigLIP-class folder, needs backtrail[local])",
)


def open_embedder(
    name: str,
    *,
    cache_folder: Path,
    base_url: str | None = None,
    api_key: str | None = None,
    dimensions: int | None = None,
) -> Embedder:
    """Open the embedder of a name; see ``NAMES``.

    Args:
        cache_folder: folder of built graphs and hashes of weights.
        base_url, api_key, dimensions: for ``openai:``; the first two default to the environment.

    Raises EmbedderUnknown, which lists the names, or what the embedder raises on opening.
    """
    kind, _, rest = name.partition(":")
    if name == DEFAULT or kind == "minilm":
        return _open_minilm(name, rest, cache_folder)
    if kind == "folder" and rest:
        from backtrail.tools.embedders.sentence_transformers import SentenceTransformerFolder

        return SentenceTransformerFolder(Path(rest).expanduser(), cache_folder=cache_folder)
    if kind == "multilingual" and rest:
        from backtrail.tools.embedders.multilingual import open_multilingual

        return open_multilingual(rest, cache_folder=cache_folder)
    if kind == "openai" and rest:
        from backtrail.tools.embedders.openai_compatible import OpenAICompatible

        return OpenAICompatible(
            rest,
            base_url=base_url or os.environ.get("OPENAI_BASE_URL"),
            api_key=api_key or os.environ.get("OPENAI_API_KEY"),
            dimensions=dimensions,
        )
    raise _unknown("embedder", name, NAMES)


def uses_published_weights(name: str) -> bool:
    """Whether the embedder of a name needs the published weights of all-MiniLM-L6-v2."""
    return name == DEFAULT or (name.startswith("minilm") and name.count(":") < 2)


def open_pixel_embedder(name: str, *, cache_folder: Path, open_image: OpenImage) -> PixelEmbedder:
    """Open the cross-modal embedder of a name; see ``PIXEL_NAMES``.

    Args:
        open_image: opens a picture file with PIL; refuses one that is too large.

    Raises EmbedderUnknown, which lists the names, or what the embedder raises on opening.
    """
    kind, _, rest = name.partition(":")
    if kind == "cross-modal" and rest:
        from backtrail.tools.embedders.cross_modal import CrossModalFolder

        return CrossModalFolder(Path(rest).expanduser(), cache_folder=cache_folder, open_image=open_image)
    raise _unknown("pixel embedder", name, PIXEL_NAMES)


def open_page_embedder(name: str, *, cache_folder: Path, open_image: OpenImage) -> PageEmbedder:
    """Open the embedder of page pictures of a name; see ``PAGE_NAMES``. Arguments as ``open_pixel_embedder``.

    Raises EmbedderUnknown, which lists the names, or what the embedder raises on opening.
    """
    kind, _, rest = name.partition(":")
    if kind not in ("late-interaction", "cross-modal") or not rest:
        raise _unknown("embedder of pages", name, PAGE_NAMES)
    from backtrail.tools.embedders.cross_modal import CrossModalFolder
    from backtrail.tools.embedders.late_interaction import LateInteractionFolder

    opened = LateInteractionFolder if kind == "late-interaction" else CrossModalFolder
    return opened(Path(rest).expanduser(), cache_folder=cache_folder, open_image=open_image)


def _open_minilm(name: str, rest: str, cache_folder: Path) -> Embedder:
    from backtrail.tools.embedders.minilm import MiniLM

    wanted, _, path = rest.partition(":")
    precisions: dict[str, Precision] = {"": "int8", "int8": "int8", "fp32": "fp32"}
    if wanted not in precisions:
        raise _unknown("embedder", name, NAMES)
    folder = Path(path).expanduser() if path else None
    return MiniLM(cache_folder=cache_folder, folder=folder, precision=precisions[wanted])


def _unknown(what: str, name: str, names: tuple[str, ...]) -> EmbedderUnknown:
    return EmbedderUnknown(f"There is no {what} {name!r}. These exist: {'; '.join(names)}.")
