"""Metrics, logs and spans of the runs of a server."""
