"""Tables on pages: ruled, part-ruled and aligned; their cells, columns and headers."""
