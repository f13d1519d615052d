"""Word documents (.docx): their body as a page of HTML elements, which is then read like any page.

Own walk over the XML: mammoth, tried first, loses captions, numbers of headings, charts, formulas, and header rows
that are not marked. What each keeps is measured in docs/ingestion.md.
"""
