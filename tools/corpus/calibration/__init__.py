"""Calibration of the radii within which vectors count as near, on a sample of a corpus."""
