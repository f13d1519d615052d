"""Python interface: corpora, answers, streams and comparisons, all available from ``import backtrail``."""
