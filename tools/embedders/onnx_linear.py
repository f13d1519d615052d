"""Linear layers of a graph, in float32 and in int8. Biases are added by the fused op that follows.

int8, measured on all-MiniLM-L6-v2 (cosine to float32, mean / lowest; 160 titles and words; 180
passages, questions and sentences):

- activations with one scale per tensor, as in dynamic quantisation: .991 / .960; .993 / .978, and a
  text's vector depends on its batch (cosine down to .988);
- activations with one scale per token: .996 / .972; .997 / .995, independent of the batch;
- the same with smoothed outlier channels, used here: .998 / .989; .998 / .990.

Weights have one scale per output channel and seven bits: processors with AVX2 but no VNNI sum pairs of
u8 x s8 products in 16 bits, where eight bits overflow (and lower the cosine); seven give the same
vectors on every processor. Tried without much effect: an asymmetric scale for GELU's output, single
layers in float32, smoothing by LayerNorm's gain instead of measured peaks. 8-bit MatMulNBits has cosine
.999 but half the speed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from backtrail.tools.embedders.onnx_graph import OnnxGraph

Linear = Callable[[OnnxGraph, str, NDArray[np.float32], str], str]
"""(graph, input [.., in], weight [out, in], output name) -> output [.., out]."""

WEIGHT_STEPS = 64  # seven bits: 255 * 64 * 2 fits into 16 bits
ACTIVATION_STEPS = 127
ZERO_POINT = 128  # activations are stored as unsigned bytes around this
SMOOTHING = 0.4  # exponent: 0 is none, 1 moves outliers entirely into the weights; .3 to .5 give similar results


def float_linear(graph: OnnxGraph, value: str, weight: NDArray[np.float32], output: str) -> str:
    """``value @ weight.T`` in float32."""
    return graph.op("MatMul", [value, graph.constant(f"{output}.weight", weight.T)], output)


class Int8Linear:
    """``value @ weight.T`` with int8 weights and activations quantised token by token.

    A few channels of a transformer's activations are ten times as large as the rest, which would be
    quantised in few steps. They are scaled down, and their weights up, before both are quantised
    (Xiao et al., SmoothQuant, arXiv:2211.10438, with a factor from the activations alone).
    """

    def __init__(self, peaks: Mapping[str, NDArray[np.float32]]) -> None:
        """Args:
        peaks: largest magnitude of each channel [in] by name of the value; other values are not smoothed.
        """
        self._factors = {name: smoothing_factors(peak) for name, peak in peaks.items()}

    def __call__(self, graph: OnnxGraph, value: str, weight: NDArray[np.float32], output: str) -> str:
        """Write the layer into the graph; see ``Linear``."""
        factors = self._factors.get(value)
        if factors is not None:
            weight = weight * factors
            value = self._smoothed(graph, value, factors)
        quantised, largest = _quantised_rows(graph, value)
        weights, scales = quantise_weight(weight)
        inputs = [
            quantised,
            graph.constant(f"{output}.weight", weights),
            _step(graph),
            graph.constant(f"{output}.scale", scales),
            _zero_point(graph),
        ]
        unscaled = graph.fused("MatMulIntegerToFloat", inputs, f"{output}.unscaled")
        return graph.op("Mul", [unscaled, largest], output)

    @staticmethod
    def _smoothed(graph: OnnxGraph, value: str, factors: NDArray[np.float32]) -> str:
        smoothed = f"{value}.smoothed"
        if not graph.has(smoothed):
            inverse = graph.constant(f"{value}.inverse", (1 / factors).astype(np.float32))
            graph.op("Mul", [value, inverse], smoothed)
        return smoothed


def smoothing_factors(peaks: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the divisor of each channel [in] before quantisation.

    Rounded to quarter powers of two: peaks differ in their last digits between processors, but graphs
    should not.
    """
    quarters = np.rint(4 * SMOOTHING * np.log2(np.maximum(peaks, 1e-3)))
    return np.exp2(quarters / 4).astype(np.float32)


def quantise_weight(weight: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Quantise a float32 weight [out, in] to int8 weights [in, out] with scales [out]."""
    largest = np.abs(weight).max(axis=1)
    scales = np.where(largest > 0, largest / WEIGHT_STEPS, 1).astype(np.float32)
    steps = np.rint(weight / scales[:, None]).clip(-WEIGHT_STEPS, WEIGHT_STEPS)
    return np.ascontiguousarray(steps.T, dtype=np.int8), scales


def _quantised_rows(graph: OnnxGraph, value: str) -> tuple[str, str]:
    """Quantise ``value`` divided by each row's largest magnitude, and return that magnitude [.., 1] too.

    Query, key and value share one input, so that the second and third call reuse the nodes.
    """
    bytes_, largest = f"{value}.bytes", f"{value}.largest"
    if not graph.has(bytes_):
        last = graph.constant("last_axis", np.array([-1], dtype=np.int64))
        magnitude = graph.op("Abs", [value], f"{value}.magnitude")
        highest = graph.op("ReduceMax", [magnitude, last], f"{value}.highest", keepdims=1)
        # Avoid 0 / 0 for a row of zeros.
        graph.op("Max", [highest, graph.constant("tiny", np.float32(1e-12))], largest)
        unit = graph.op("Div", [value, largest], f"{value}.unit")
        graph.op("QuantizeLinear", [unit, _step(graph), _zero_point(graph)], bytes_)
    return bytes_, largest


def _step(graph: OnnxGraph) -> str:
    return graph.constant("activation_step", np.float32(1 / ACTIVATION_STEPS))


def _zero_point(graph: OnnxGraph) -> str:
    return graph.constant("activation_zero", np.uint8(ZERO_POINT))
