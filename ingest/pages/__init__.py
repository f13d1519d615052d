"""Embed the page pictures of a corpus's documents."""
