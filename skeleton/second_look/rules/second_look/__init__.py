"""Second Look's decisions without a model."""
