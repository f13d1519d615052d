"""Measures retrieval, answers, ingestion, costs and size of this checkout, and compares them with a stored baseline."""
