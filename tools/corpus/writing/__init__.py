"""The one writer of a corpus: contents stored, embedded, indexed and published, all at once or not at all."""
