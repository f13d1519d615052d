"""The SQL side of a corpus, in SQLite or Postgres: tables, rows, what a corpus records about itself."""
