"""Sources of settings, and their dotted names."""
