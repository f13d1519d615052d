"""The ``backtrail`` command line: its commands and how they show results."""
