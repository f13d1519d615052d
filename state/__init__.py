"""State of runs: typed records that graphs read and write, and the settings."""
