"""Python interface, available from ``import backtrail``: corpora, answers, streams and comparisons."""
