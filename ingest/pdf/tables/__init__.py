"""Tables on pages: ruled, ruled in part, and aligned; their cells, columns and heads."""
