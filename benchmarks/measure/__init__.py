"""Measure retrieval, answers, ingestion, costs and size of this checkout, and compare with a stored baseline."""
