"""OmniSearch's thought without a model."""
