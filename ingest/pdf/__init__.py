"""Parser of PDF files: glyphs to lines, columns, tables, figures and headings, in reading order."""
