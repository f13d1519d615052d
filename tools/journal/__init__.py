"""Journals of paid results, shared by all machines of a corpus."""
