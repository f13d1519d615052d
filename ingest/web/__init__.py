"""Crawl sites within bounds, store them as files, and ingest them like a folder."""
