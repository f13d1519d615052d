"""What the server remembers beside its host's own store: what was spent on which day, and whose a corpus is."""
