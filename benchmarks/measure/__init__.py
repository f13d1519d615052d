"""Measure retrieval, answers, ingestion, costs and size of this checkout against a stored baseline."""
