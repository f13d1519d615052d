"""What ingestion keeps of documents whose contents are known, because they were rendered from a source."""
