"""A knowledge graph read without a model."""
