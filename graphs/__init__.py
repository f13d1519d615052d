"""One file per method: the graph at the bottom, nothing else to learn."""
