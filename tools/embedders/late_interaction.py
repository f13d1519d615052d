"""Embedder of page pictures by late interaction: ColPali- and ColQwen2-class folders, on torch.

A page is embedded as one vector per patch of its picture, a question as one per token; their score is MaxSim, the sum
over the question's vectors of the largest dot product with any of the page's (Faysse et al. 2024, ColPali, section 4).
"""

from __future__ import annotations

from pathlib import Path
from threading import Lock
from typing import Any

from backtrail.tools.embedders.checkpoint_json import read_object
from backtrail.tools.embedders.cross_modal import DEFINITION, OpenImage, on_white
from backtrail.tools.embedders.errors import EmbedderUnsupported
from backtrail.tools.embedders.protocol import Vectors
from backtrail.tools.embedders.torch_local import default_device, import_local, load_local, weight_files
from backtrail.tools.embedders.weights_hash import files_sha256


class LateInteractionFolder:
    """A checkpoint folder of a retrieval model with a vector per token. Implements ``PageEmbedder``.

    The weights keep the precision of their files.
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
        self._device = default_device(device)
        kind = read_object(folder / "config.json").get("model_type")
        self._processor = load_local("AutoProcessor", folder)
        if not hasattr(self._processor, "process_queries"):
            raise EmbedderUnsupported(
                f"{str(folder)!r} is a {kind!r} model without a vector per token; use a checkpoint of ColPali or "
                "ColQwen2 in the format of transformers (their names end in -hf)."
            )
        self._model = load_local("AutoModelForPreTraining", folder).to(self._device).eval()
        self._processing = Lock()  # tokenizers change their state while they pad
        self.dimension = int(self._model.config.embedding_dim)
        precision = str(self._model.dtype).removeprefix("torch.")
        definition = [folder / name for name in DEFINITION if (folder / name).is_file()]
        digest = files_sha256([*weight_files(folder), *definition], cache_folder=cache_folder)
        self.fingerprint = f"{folder.resolve().name}:{digest[:12]}:{precision}:late"

    def embed_page(self, path: Path) -> Vectors:
        """Vectors [patches and prompt tokens, dimension] of a picture file, rows L2-normalised."""
        with self._open_image(path) as image:
            picture = on_white(image)
        with self._processing:
            batch = self._processor.process_images(images=[picture])
        return self._embeddings(batch)

    def embed_question(self, text: str) -> Vectors:
        """Vectors [tokens, dimension] of a question, rows L2-normalised."""
        with self._processing:
            batch = self._processor.process_queries(text=[text])
        return self._embeddings(batch)

    def _embeddings(self, batch: Any) -> Vectors:
        # One picture or text at a time, so that nothing is padded and no vector depends on its neighbours.
        given = {key: value for key, value in batch.to(self._device).items() if key != "labels"}  # of training
        with self._torch.inference_mode():
            return self._model(**given).embeddings[0].float().cpu().numpy()
