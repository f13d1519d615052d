"""One change of a corpus: what an ingest adds, replaces and deletes, and how that becomes visible."""
