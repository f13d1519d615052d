"""SVG drawings: their words, and a rendered picture."""
