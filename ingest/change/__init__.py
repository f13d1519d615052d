"""Change of a corpus by one ingest: add, replace and delete documents, and publish."""
