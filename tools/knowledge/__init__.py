"""Knowledge graph of a corpus: entities and relations with their provenance."""
