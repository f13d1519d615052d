"""Adapters to everything outside the methods: corpora, models, the web, keys, checkpoints."""
