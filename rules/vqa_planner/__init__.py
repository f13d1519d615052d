"""The VQA planner's decisions without a model: a small classifier and surface features."""
