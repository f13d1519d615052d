"""The radii within which vectors count as near, calibrated on a sample of a corpus."""
