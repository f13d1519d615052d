"""Arrays on disk: written through the file, read through a map of it, and the vectors that several versions share."""
