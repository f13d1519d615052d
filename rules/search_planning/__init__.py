"""Planning searches without a model: the next queries and the next kind of search, for CogPlanner and OmniSearch."""
