"""Builder of ONNX graphs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

FUSED = "com.microsoft"
OPSET = 18
IR_VERSION = 10  # readable by onnxruntime 1.20 and later


class OnnxGraph:
    """Collects nodes in order; methods that add one return the name of its value."""

    def __init__(self) -> None:
        self._nodes: list[onnx.NodeProto] = []
        self._constants: dict[str, onnx.TensorProto] = {}
        self._values: set[str] = set()

    def constant(self, name: str, value: NDArray[Any] | np.generic) -> str:
        """Add a constant, unless one of this name exists."""
        if name not in self._constants:
            self._constants[name] = numpy_helper.from_array(np.asarray(value, order="C"), name)
        return name

    def has(self, value: str) -> bool:
        """Whether a node for this value exists."""
        return value in self._values

    def op(self, kind: str, inputs: Sequence[str], output: str, **attributes: Any) -> str:
        """Add a node of the standard operator set with one output."""
        return self._add(kind, inputs, output, "", attributes)

    def fused(self, kind: str, inputs: Sequence[str], output: str, **attributes: Any) -> str:
        """Add a node of onnxruntime's operator set; an empty input name omits an optional input."""
        return self._add(kind, inputs, output, FUSED, attributes)

    def _add(self, kind: str, inputs: Sequence[str], output: str, domain: str, attributes: dict[str, Any]) -> str:
        # EmbedLayerNormalization requires a second output, which nothing reads.
        outputs = [output, f"{output}.unused"] if kind == "EmbedLayerNormalization" else [output]
        self._nodes.append(helper.make_node(kind, list(inputs), outputs, domain=domain, **attributes))
        self._values.add(output)
        return output

    def serialise(self, name: str, inputs: Sequence[str], outputs: Mapping[str, Sequence[str | int]]) -> bytes:
        """Serialise the model with int32 inputs [batch, sequence] and float32 outputs of the given shapes."""
        graph = helper.make_graph(
            self._nodes,
            name,
            [helper.make_tensor_value_info(each, TensorProto.INT32, ["batch", "sequence"]) for each in inputs],
            [helper.make_tensor_value_info(each, TensorProto.FLOAT, shape) for each, shape in outputs.items()],
            list(self._constants.values()),
        )
        opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(FUSED, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=IR_VERSION).SerializeToString()
