"""Rendering of runs, answers and records for the terminal, drawings and HTML pages."""
