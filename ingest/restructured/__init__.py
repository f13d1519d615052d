"""Parser of reStructuredText (.rst), on docutils: no code, no raw HTML, includes from the folder only."""
