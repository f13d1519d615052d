"""reStructuredText parser (.rst) on docutils: no code runs, no raw HTML, only ingested files are included."""
