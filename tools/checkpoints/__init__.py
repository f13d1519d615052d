"""Checkpoints of runs: stores, history, serialization."""
