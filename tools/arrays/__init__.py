"""Arrays on disk: written as files, read through memory maps, shared between generations."""
