"""Writer of a corpus: stores, embeds, indexes and publishes contents atomically."""
