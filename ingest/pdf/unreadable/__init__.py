"""Report what could not be read of a PDF file."""
