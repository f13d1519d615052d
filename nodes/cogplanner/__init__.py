"""CogPlanner's nodes: planning rounds and their searches."""
