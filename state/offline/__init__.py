"""Models and settings of reading without a model."""
