"""The page for people: ask, watch the trail grow, read the sources, look after runs and corpora."""
