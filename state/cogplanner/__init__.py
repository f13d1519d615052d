"""What CogPlanner remembers, decides and is set by."""
