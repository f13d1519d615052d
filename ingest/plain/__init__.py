"""Parser of plain text: encoding, headings, paragraphs and links."""
