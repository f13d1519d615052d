"""The methods, one graph per file."""
