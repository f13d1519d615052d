"""Build the BERT encoder of all-MiniLM-L6-v2 as an ONNX graph from its safetensors.

Inputs ``ids`` and ``mask`` int32 [batch, sequence]; output ``embedding`` float32 [batch, hidden], the
masked mean of the last layer's tokens, L2-normalised (the mean's divisor cancels out and is omitted).

Source: Devlin et al., BERT (arXiv:1810.04805); Wang et al., MiniLM (arXiv:2002.10957); the model card of
sentence-transformers/all-MiniLM-L6-v2. Fused operators are onnxruntime's (com.microsoft).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backtrail.tools.embedders.activation_peaks import activation_peaks
from backtrail.tools.embedders.errors import EmbedderUnsupported, EmbedderWeightsMissing
from backtrail.tools.embedders.onnx_graph import OnnxGraph
from backtrail.tools.embedders.onnx_linear import Int8Linear, Linear, float_linear
from backtrail.tools.embedders.precision import Precision

Weights = Mapping[str, NDArray[Any]]

BUILDER_VERSION = 2  # part of the cache key: raise it with every change of the graph
NEEDED = ("hidden_size", "num_hidden_layers", "num_attention_heads", "max_position_embeddings")


def build_encoder(
    config: Mapping[str, Any], weights: Weights, precision: Precision, calibration: Sequence[Sequence[int]]
) -> bytes:
    """Return the serialised graph.

    Args:
        config: the checkpoint's config.json.
        weights: its tensors by name, without a ``bert.`` prefix.
        calibration: token ids of a few texts, from which int8 measures the peak of each channel.

    Raises EmbedderUnsupported for another architecture and EmbedderWeightsMissing for an absent tensor.
    """
    check_architecture(config)
    exact = _Encoder(config, weights, float_linear)
    output = exact.write()
    if precision == "fp32":
        return exact.serialise([output])
    # Channels differ in size at the outputs of LayerNorm, which most layers read.
    peaks = activation_peaks(exact.serialise(exact.normalised), exact.normalised, calibration)
    fast = _Encoder(config, weights, Int8Linear(peaks))
    return fast.serialise([fast.write()])


def check_architecture(config: Mapping[str, Any]) -> None:
    """Raise EmbedderUnsupported unless the config describes a plain BERT encoder."""
    missing = [key for key in NEEDED if not isinstance(config.get(key), int)]
    if missing:
        raise EmbedderUnsupported(f"config.json has no whole number for {missing}; is this a BERT encoder?")
    wanted = {"model_type": "bert", "hidden_act": "gelu", "position_embedding_type": "absolute"}
    for key, value in wanted.items():
        found = config.get(key, value)
        if found != value:
            raise EmbedderUnsupported(
                f"config.json says {key} = {found!r}; the torch-free encoder implements only {value!r}. "
                f"Open the folder as 'folder:PATH' instead (needs backtrail[local])."
            )


class _Encoder:
    """Writes one BERT encoder into a graph."""

    def __init__(self, config: Mapping[str, Any], weights: Weights, linear: Linear) -> None:
        self.graph = OnnxGraph()
        self._weights = weights
        self._linear = linear
        self._config = config
        self._heads = int(config["num_attention_heads"])
        self._epsilon = float(config.get("layer_norm_eps", 1e-12))
        self.normalised: list[str] = []
        """Names of the outputs of LayerNorm, [batch, sequence, hidden], in order."""

    def write(self) -> str:
        """Write all nodes, from token ids to the text's vector; return the vector's name."""
        hidden = self.embeddings()
        for number in range(int(self._config["num_hidden_layers"])):
            hidden = self.layer(number, hidden)
        return self.pooled(hidden)

    def serialise(self, outputs: Sequence[str]) -> bytes:
        """The graph with these of its values as outputs."""
        width = int(self._config["hidden_size"])
        token_wise = ["batch", "sequence", width]
        shapes = {name: token_wise if name in self.normalised else ["batch", width] for name in outputs}
        return self.graph.serialise("sentence_encoder", ["ids", "mask"], shapes)

    def embeddings(self) -> str:
        """Word plus position embeddings, normalised: [batch, sequence, hidden]."""
        # All tokens are in segment 0: its embedding is added to the positions once, here.
        positions = self._tensor("embeddings.position_embeddings.weight")
        positions = positions + self._tensor("embeddings.token_type_embeddings.weight")[0]
        words = self.graph.constant("words", self._tensor("embeddings.word_embeddings.weight"))
        gain, shift = self._norm("embeddings.LayerNorm")
        inputs = ["ids", "", words, self.graph.constant("positions", positions), "", gain, shift]
        self.normalised.append("embedded")
        return self.graph.fused("EmbedLayerNormalization", inputs, "embedded", epsilon=self._epsilon)

    def layer(self, number: int, hidden: str) -> str:
        """One transformer layer: [batch, sequence, hidden] to the same."""
        prefix = f"encoder.layer.{number}"
        attended = self._attention(f"{prefix}.attention.self", hidden)
        projected = self._project(f"{prefix}.attention.output.dense", attended)
        middle = self._residual(f"{prefix}.attention.output", projected, hidden)
        widened = self._project(f"{prefix}.intermediate.dense", middle)
        # BiasGelu is the exact erf form that BERT was trained with; FastGelu is the tanh one.
        active = self.graph.fused("BiasGelu", [widened, self._bias(f"{prefix}.intermediate.dense")], f"{prefix}.active")
        narrowed = self._project(f"{prefix}.output.dense", active)
        return self._residual(f"{prefix}.output", narrowed, middle)

    def pooled(self, hidden: str) -> str:
        """The masked sum over tokens, L2-normalised: [batch, hidden]."""
        graph = self.graph
        middle = graph.constant("middle_axis", np.array([1], dtype=np.int64))
        mask = graph.op("Unsqueeze", [graph.op("Cast", ["mask"], "mask.float", to=1), middle], "mask.row")
        total = graph.op("Squeeze", [graph.op("MatMul", [mask, hidden], "total.row"), middle], "total")
        return graph.op("LpNormalization", [total], "embedding", axis=-1, p=2)

    def _attention(self, prefix: str, hidden: str) -> str:
        parts = ("query", "key", "value")
        projected = [self._project(f"{prefix}.{part}", hidden) for part in parts]
        biases = np.concatenate([self._tensor(f"{prefix}.{part}.bias") for part in parts])
        inputs = [*projected, self.graph.constant(f"{prefix}.bias", biases), "mask"]
        return self.graph.fused("MultiHeadAttention", inputs, f"{prefix}.attended", num_heads=self._heads)

    def _project(self, prefix: str, value: str) -> str:
        return self._linear(self.graph, value, self._tensor(f"{prefix}.weight"), f"{prefix}.projected")

    def _residual(self, prefix: str, value: str, skip: str) -> str:
        # Two Adds and LayerNormalization are four times as fast as the fused SkipLayerNormalization.
        biased = self.graph.op("Add", [value, self._bias(f"{prefix}.dense")], f"{prefix}.biased")
        summed = self.graph.op("Add", [biased, skip], f"{prefix}.summed")
        output = f"{prefix}.normalised"
        self.normalised.append(output)
        inputs = [summed, *self._norm(f"{prefix}.LayerNorm")]
        return self.graph.op("LayerNormalization", inputs, output, axis=-1, epsilon=self._epsilon)

    def _norm(self, prefix: str) -> tuple[str, str]:
        gain = self.graph.constant(f"{prefix}.weight", self._tensor(f"{prefix}.weight"))
        return gain, self.graph.constant(f"{prefix}.bias", self._tensor(f"{prefix}.bias"))

    def _bias(self, prefix: str) -> str:
        return self.graph.constant(f"{prefix}.bias", self._tensor(f"{prefix}.bias"))

    def _tensor(self, name: str) -> NDArray[np.float32]:
        try:
            return self._weights[name].astype(np.float32, copy=False)
        except KeyError:
            raise EmbedderWeightsMissing(
                f"The checkpoint has no tensor {name!r}; is model.safetensors that of a BERT encoder?"
            ) from None
