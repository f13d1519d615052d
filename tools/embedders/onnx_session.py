"""onnxruntime sessions with settings that suit encoders on shared cores."""

from __future__ import annotations

import os

# Since 1.32 it tells its maker of each process, with an id of the machine, unless this is set before it is loaded.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")

import onnxruntime

ERRORS_ONLY = 3


def available_cores() -> int:
    """Cores this process may run on (containers and taskset give fewer than the machine has)."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def open_session(graph: bytes, *, threads: int | None = None) -> onnxruntime.InferenceSession:
    """A CPU session of a serialised graph; it may be run from several threads at once.

    Raises onnxruntime's own error for bytes that are not a graph.
    """
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads or available_cores()
    options.inter_op_num_threads = 1
    # Workers that spin while idle take the cores from whoever else wants them: 23 instead of 32
    # paragraphs a second on two busy cores.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    # A memory pattern is kept for each input shape; with length-sorted batches nearly every shape is new.
    options.enable_mem_pattern = False
    # Our graphs are written with the fused operators that pay; the next level would fuse LayerNormalization
    # with its Adds into an operator that is four times slower.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.log_severity_level = ERRORS_ONLY
    return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
