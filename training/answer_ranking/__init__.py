"""Weights of what the reader of rules ranks, candidates and quotes: recorded, learnt, and judged held out."""
