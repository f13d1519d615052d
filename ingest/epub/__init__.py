"""Parser of e-books (.epub): chapters as one document, with sections from the table of contents."""
