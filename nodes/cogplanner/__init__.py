"""CogPlanner's verbs: a round of planning, its searches, what is kept of them."""
