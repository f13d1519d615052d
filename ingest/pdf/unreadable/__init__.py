"""Report unreadable parts of a PDF file."""
