"""Vectors of page pictures beside a corpus: which pages there are, their vectors, and the search over them.

They are no part of the index's generations: page models are slow, and a corpus is usable without them. Pages are
embedded after an ingest, and a search says which documents are not, or no longer, embedded.
"""
