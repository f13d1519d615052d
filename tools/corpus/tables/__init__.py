"""SQL tables of a corpus, in SQLite or Postgres: schema, rows, metadata."""
