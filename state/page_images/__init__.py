"""Settings of the baseline over page pictures."""
