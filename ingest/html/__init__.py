"""HTML pages: the walk over their tree, tables with spans, figures, links."""
