"""Embedders: texts and pictures to L2-normalised vectors, behind one protocol."""
