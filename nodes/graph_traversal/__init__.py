"""Traverse the component graph: paths, coverage, mentions, linked rows."""
