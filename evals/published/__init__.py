"""Tables of the papers as files: what was run, and the figures as they were printed."""
