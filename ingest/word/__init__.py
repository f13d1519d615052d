"""Word parser (.docx): converts the body to HTML elements, parsed as a page.

Own code over the XML: mammoth loses captions, numbers of headings, charts, formulas and unmarked header rows.
docs/ingestion.md has the measurements.
"""
