"""Parser of HTML pages: tree walk, tables with spans, figures, links."""
