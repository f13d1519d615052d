"""The VQA planner's verbs: choose one of four paths, write the query."""
