"""Views of records: one file per kind, named after the record's key in the state."""
