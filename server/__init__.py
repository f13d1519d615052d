"""Additions to the LangGraph server: access control, pictures, corpora and the page."""
