"""What results keep of each kind of record: one file per kind, found by the key that the record has in a state."""
