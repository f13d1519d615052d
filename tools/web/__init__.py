"""Web search, or the corpus in its place: providers, page reader, pictures, cache."""
