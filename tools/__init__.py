"""What lies outside the methods, each behind a small protocol: corpora, models, the web, keys, checkpoints."""
