"""Parse discovered files in this process, or in parallel if there are enough."""
