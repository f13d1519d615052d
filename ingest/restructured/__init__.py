"""reStructuredText (.rst), rendered by docutils: nothing is run, raw HTML is not taken, files only from the folder."""
