"""Ingest files into a corpus: parse, resolve links, split into subcomponents, store, embed."""
