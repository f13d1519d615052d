"""Titles of PDF files: from the metadata, or printed on the first page."""
