"""Knowledge graph extraction without a model."""
