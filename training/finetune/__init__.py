"""Fine-tuning of a checkpoint to a planner, on exported rows."""
