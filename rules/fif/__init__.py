"""FiF's decisions without a model."""
