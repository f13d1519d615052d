"""What of a PDF file could not be read, and how it is told."""
