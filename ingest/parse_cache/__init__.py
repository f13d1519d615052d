"""Cache parsed documents, so that unchanged files are not parsed again."""
