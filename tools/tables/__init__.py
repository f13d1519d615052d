"""Tables as data: typed columns in DuckDB, checked queries, and operations over the selected rows."""
