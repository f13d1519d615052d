"""Chunks, statements and decisions of the knowledge graph."""
