"""The knowledge of a corpus: entities, relations and triplets with their provenance."""
