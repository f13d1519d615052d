"""How a run tells people what it found: messages, links, progress."""
