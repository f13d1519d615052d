"""Calibration of reading by rules: cases, the fit across corpora, and how risk grows with coverage."""
