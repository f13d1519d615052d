"""Corpus bundles: read as a whole, or only what differs from an earlier ingest."""
