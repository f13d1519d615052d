"""Converters of training data to the formats of other trainers."""
