"""The command that reproduces the tables of papers, and its options."""
