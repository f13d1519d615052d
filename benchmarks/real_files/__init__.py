"""Fidelity of ingestion on real files, with independent programs as reference."""
