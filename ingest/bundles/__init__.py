"""Corpus bundles, read completely or only where they differ from an earlier ingest."""
