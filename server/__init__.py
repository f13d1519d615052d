"""What Backtrail adds to the LangGraph server: who may do what, pictures, and the page of a run."""
