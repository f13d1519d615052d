"""MMAPG's decisions without a model."""
