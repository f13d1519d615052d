"""Embedder of CLIP- and SigLIP-class folders: pictures and texts in one space, on torch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from backtrail.tools.embedders.checkpoint_json import read_object
from backtrail.tools.embedders.embed_unique import distinct_texts
from backtrail.tools.embedders.errors import EmbedderUnsupported
from backtrail.tools.embedders.normalise import normalise_rows
from backtrail.tools.embedders.protocol import Vectors
from backtrail.tools.embedders.torch_local import import_local, load_local, load_model, weight_files
from backtrail.tools.embedders.weights_hash import files_sha256

if TYPE_CHECKING:
    from PIL.Image import Image

OpenImage = Callable[[Path], "Image"]
"""Opens a picture file; refuses one that is too large."""

BATCH_IMAGES = 16
BATCH_TEXTS = 64
DEFINITION = ("config.json", "preprocessor_config.json", "processor_config.json", "tokenizer.json")


class CrossModalFolder:
    """A checkpoint folder with get_text_features and get_image_features.

    Implements ``PixelEmbedder`` and ``PageEmbedder``.
    """

    def __init__(self, folder: Path, *, cache_folder: Path, open_image: OpenImage, device: str | None = None) -> None:
        """Open the folder.

        Args:
            open_image: checks a file's size and opens it with PIL; its errors are passed on.
            device: torch device; None means cuda if available.

        Raises DependencyMissing (torch, transformers), EmbedderWeightsMissing, EmbedderUnsupported.
        """
        self._torch = import_local("torch")
        self._open_image = open_image
        config = read_object(folder / "config.json")
        self._model, self._device = load_model(folder, device)
        if not (hasattr(self._model, "get_image_features") and hasattr(self._model, "get_text_features")):
            raise EmbedderUnsupported(
                f"{str(folder)!r} is a {config.get('model_type')!r} model without joint text and image features; "
                "use a CLIP- or SigLIP-class checkpoint."
            )
        self._processor = load_local("AutoProcessor", folder)
        self._processing = Lock()  # truncating tokenizers are not thread-safe
        self._text_options = _text_options(str(config.get("model_type")), self._model.config.text_config)
        self.dimension = _width(self._text_features([""]))
        self.fingerprint = _fingerprint(folder, self._text_options["max_length"], cache_folder)

    def embed_images(self, paths: Sequence[Path]) -> Vectors:
        """Vectors [len(paths), dimension], rows L2-normalised, in input order."""
        batches = [np.empty((0, self.dimension), dtype=np.float32)]
        for start in range(0, len(paths), BATCH_IMAGES):
            batches.append(self._image_features(paths[start : start + BATCH_IMAGES]))
        return np.concatenate(batches)

    def embed_texts(self, texts: Sequence[str]) -> Vectors:
        """Vectors [len(texts), dimension], rows L2-normalised, in input order."""
        distinct, positions = distinct_texts(texts)
        batches = [np.empty((0, self.dimension), dtype=np.float32)]
        for start in range(0, len(distinct), BATCH_TEXTS):
            batches.append(self._text_features(distinct[start : start + BATCH_TEXTS]))
        return np.concatenate(batches)[positions]

    def embed_page(self, path: Path) -> Vectors:
        """Vectors [1, dimension] of a picture file: a page has one, the idea of VisRAG (Yu et al. 2024)."""
        return self.embed_images([path])

    def embed_question(self, text: str) -> Vectors:
        """Vectors [1, dimension] of a question."""
        return self.embed_texts([text])

    def _image_features(self, paths: Sequence[Path]) -> Vectors:
        images: list[Image] = []
        for path in paths:
            with self._open_image(path) as image:
                images.append(on_white(image))
        with self._processing:
            inputs = self._processor(images=images, return_tensors="pt")
        return self._features(self._model.get_image_features, inputs)

    def _text_features(self, texts: Sequence[str]) -> Vectors:
        with self._processing:
            inputs = self._processor(text=list(texts), return_tensors="pt", truncation=True, **self._text_options)
        return self._features(self._model.get_text_features, inputs)

    def _features(self, encode: Callable[..., Any], inputs: Any) -> Vectors:
        with self._torch.inference_mode():
            features = encode(**inputs.to(self._device))
        # transformers 5 returns the tower's output with the projected vector as pooler_output, 4 a tensor.
        return normalise_rows(getattr(features, "pooler_output", features).float().cpu().numpy())


def on_white(image: Image) -> Image:
    """Convert to RGB on white, so that black lines of a transparent drawing stay visible."""
    if not image.has_transparency_data:
        return image.convert("RGB")
    from PIL import Image as images

    picture = image.convert("RGBA")
    return images.alpha_composite(images.new("RGBA", picture.size, "white"), picture).convert("RGB")


def _text_options(model_type: str, text_config: Any) -> dict[str, Any]:
    """SigLIP was trained on texts padded to full length and needs the padding; CLIP pads to the longest text."""
    padding = "max_length" if model_type.startswith("siglip") else True
    return {"padding": padding, "max_length": int(text_config.max_position_embeddings)}


def _width(rows: Vectors) -> int:
    return int(rows.shape[1])


def _fingerprint(folder: Path, most_tokens: int, cache_folder: Path) -> str:
    definition = [folder / name for name in DEFINITION if (folder / name).is_file()]
    digest = files_sha256([*weight_files(folder), *definition], cache_folder=cache_folder)
    return f"{folder.resolve().name}:{digest[:12]}:fp32:{most_tokens}"
