"""Render PDF pages for people, in a separate process."""
