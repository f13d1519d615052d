"""Markdown as sites write it: generators' syntax expanded, rendered to HTML, then read like any page."""
