"""Corpora shared by machines: Lance tables, a pointer to the publication, a mirror in every home."""
