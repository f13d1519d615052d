"""What an earlier ingest read, so that sources which lie there as before are not parsed again."""
