"""Searching one generation of a corpus's index: vectors, words, pixels, and which terms coverage counts."""
