"""Fidelity of ingestion, measured on documents rendered from a known source."""
