"""Corpora that machines share: Lance tables, a pointer that says what is published, and a mirror in every home."""
