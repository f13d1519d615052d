"""E-books (.epub): the chapters of the spine as one document, with the sections that the table of contents gives."""
