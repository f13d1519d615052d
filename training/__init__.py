"""Training of planners: annotation of questions, fine-tuning, trained deciders."""
