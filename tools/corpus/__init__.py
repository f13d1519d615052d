"""Stored corpora: contents in SQL, vectors and lexical index in files; one writer, many readers."""
