"""The Python interface: corpora, answers, streams and comparisons. ``import backtrail`` offers all of it."""
