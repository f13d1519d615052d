"""Fine-tuning a checkpoint to plan, on the annotated rows."""
