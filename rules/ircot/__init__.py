"""IRCoT's thought without a model."""
