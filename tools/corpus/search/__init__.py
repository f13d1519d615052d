"""Search in one generation of a corpus's index: vectors, words, pixels, terms."""
