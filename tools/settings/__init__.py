"""Where settings come from, and their dotted names."""
