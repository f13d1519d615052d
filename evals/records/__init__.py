"""Extraction of results from the records of a run: one file per kind, named after its state key."""
