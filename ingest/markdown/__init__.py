"""Markdown parser with the syntax of site generators; renders to HTML and parses that as a page."""
