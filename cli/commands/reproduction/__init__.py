"""The command that runs the tables of papers, and its options."""
