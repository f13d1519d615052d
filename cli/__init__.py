"""The ``backtrail`` command: its commands, and how they show what they found."""
