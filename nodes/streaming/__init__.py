"""Streaming of the answer, its sources and progress to clients."""
