"""onnxruntime sessions with settings for encoders on shared cores."""

from __future__ import annotations

import os

# Since 1.32 onnxruntime reports each process, with a machine id, unless this is set before its import.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")

import onnxruntime

ERRORS_ONLY = 3


def available_cores() -> int:
    """Return the number of cores that this process may use (fewer in containers or with taskset)."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def open_session(graph: bytes, *, threads: int | None = None) -> onnxruntime.InferenceSession:
    """Open a thread-safe CPU session of a serialised graph.

    Raises onnxruntime's error for bytes that are not a graph.
    """
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads or available_cores()
    options.inter_op_num_threads = 1
    # Idle workers that spin take cores from other processes: 23 instead of 32 paragraphs per second
    # on two busy cores.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    # One memory pattern is kept per input shape; with length-sorted batches nearly every shape is new.
    options.enable_mem_pattern = False
    # Our graphs already use the fast fused operators; the next level would fuse LayerNormalization with its
    # Adds into an operator that is four times slower.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.log_severity_level = ERRORS_ONLY
    return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
