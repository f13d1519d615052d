"""How each kind of record is shown: one file per kind, found by the key that the record has in a state."""
