"""Pages of PDF files as they look, drawn for people in a process of its own."""
