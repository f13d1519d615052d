"""Plain text: its encoding, headings, paragraphs and links."""
