"""Drawings in SVG: what they say, and a picture of what they show."""
