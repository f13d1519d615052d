"""Linear layer after pooling, as stored by sentence-transformers' Dense module (LaBSE has one)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from backtrail.tools.embedders.checkpoint_json import read_object
from backtrail.tools.embedders.errors import EmbedderUnsupported
from backtrail.tools.embedders.torch_local import import_local, weight_files

_ACTIVATIONS = ("Identity", "Tanh", "ReLU", "GELU", "Sigmoid")


def load_dense(folder: Path) -> Any:
    """Load the layer as a float32 torch module [batch, in] → [batch, out], with ``out_features``.

    No code of the folder is run: weights are read as plain tensors, the activation by its name.

    Raises EmbedderWeightsMissing, or EmbedderUnsupported with what does not fit.
    """
    torch = import_local("torch")
    config = read_object(folder / "config.json")
    name = str(config.get("activation_function", "torch.nn.modules.linear.Identity")).rsplit(".", 1)[-1]
    if name not in _ACTIVATIONS:
        raise EmbedderUnsupported(f"{str(folder)!r} needs the activation {name!r}; supported are {_ACTIVATIONS}.")
    weights = _weights(torch, weight_files(folder)[0])
    try:
        linear = torch.nn.Linear(
            int(config["in_features"]), int(config["out_features"]), bool(config.get("bias", True))
        )
        linear.load_state_dict({key.removeprefix("linear."): value for key, value in weights.items()})
    except (KeyError, TypeError, ValueError, RuntimeError) as error:
        raise EmbedderUnsupported(f"The Dense module {str(folder)!r} does not fit its config.json: {error}") from error
    layer = torch.nn.Sequential(linear, getattr(torch.nn, name)()).float().eval()
    layer.out_features = linear.out_features
    return layer


def _weights(torch: Any, file: Path) -> dict[str, Any]:
    if file.suffix == ".safetensors":
        from safetensors.torch import load_file

        return load_file(file)
    return torch.load(file, map_location="cpu", weights_only=True)
