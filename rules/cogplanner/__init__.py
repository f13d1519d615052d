"""CogPlanner's decisions without a model."""
