"""Traversal of the component graph: paths, coverage, mentions, linked rows."""
