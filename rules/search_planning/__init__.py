"""Plan searches without a model: next queries and search type, for CogPlanner and OmniSearch."""
